// RUBiS, an auction site, as Cobra has it, with the bids of the original. Profiles and shares:
//   10% register user: unless the name is taken; one more user in the region
//   15% register item: 1 to 10 pieces more of an item, by its seller; one more item in the category
//   10% bid:           one more bid on the item, under the number it gets; a look at the item and
//     at its seller
//    5% buy now:       one piece of the item, if there is one left; a receipt
//   20% comment:       about the seller of an item: the comment, and the seller's rating increased
//     by 0 to 5
//   40% browse:        5 items and 3 users
// Users are `keys`; each may sell 10 items.

#include "generate/workloads/all.h"

enum { BID, BIDS, CATEGORY, COMMENT, ITEM, RATING, RECEIPT, REGION, USER };
enum { ITEMS_PER_USER = 10, CATEGORIES = 20, REGIONS = 62, BROWSED_ITEMS = 5, BROWSED_USERS = 3, MOST_PIECES = 10 };

static const struct table tables[] = { { "bid", { 30, 4, 26 } },  { "bids", { 30, 4 } }, { "category", { 5 } },
                                       { "comment", { 20, 40 } }, { "item", { 30, 4 } }, { "rating", { 30 } },
                                       { "receipt", { 20, 40 } }, { "region", { 6 } },   { "user", { 30 } } };

static uint64_t draw_item (struct script *script) {
  return random_below (script->random, ITEMS_PER_USER);
}

static void write_register_user (struct script *script, uint64_t user) {
  const uint32_t known = script_get (script, ROW (USER, user));
  const uint64_t region = ROW (REGION, random_below (script->random, REGIONS));
  struct request users = { OP_GET, region, .when_from = known, .when = WHEN_ABSENT }, count = users;
  script_request (script, (struct request){ OP_PUT, ROW (USER, user), .when_from = known, .when = WHEN_ABSENT });
  count.kind = OP_PUT;
  count.value_kind = VALUE_PLUS;
  count.value_from = script_request (script, users);
  count.value = 1;
  script_request (script, count);
}

static void write_register_item (struct script *script, uint64_t user) {
  script_get (script, ROW (USER, user));
  script_update (script, ROW (ITEM, user, draw_item (script)), random_between (script->random, 1, MOST_PIECES));
  script_update (script, ROW (CATEGORY, random_below (script->random, CATEGORIES)), 1);
}

static void write_bid (struct script *script, uint64_t seller) {
  const uint64_t item = draw_item (script);
  script_get (script, ROW (ITEM, seller, item));
  script_get (script, ROW (USER, seller));
  const uint32_t bids = script_get (script, ROW (BIDS, seller, item));
  script_request (script, (struct request){ OP_PUT, ROW (BID, seller, item), .key_from = bids });
  script_add (script, ROW (BIDS, seller, item), bids, 1);
}

static void write_buy (struct script *script, uint64_t seller) {
  const uint64_t item = ROW (ITEM, seller, draw_item (script));
  const uint32_t left = script_get (script, item);
  struct request receipt = { OP_PUT, item, .when_from = left, .when = WHEN_AT_LEAST, .least = 1 }, sells = receipt;
  sells.value_kind = VALUE_PLUS;
  sells.value_from = left;
  sells.value = UINT64_MAX; // one less
  receipt.key = ROW (RECEIPT, script->session, script->memory[0]++);
  script_request (script, sells);
  script_request (script, receipt);
}

static void write_comment (struct script *script, uint64_t seller) {
  script_get (script, ROW (ITEM, seller, draw_item (script)));
  script_put (script, ROW (COMMENT, script->session, script->memory[1]++));
  script_update (script, ROW (RATING, seller), random_between (script->random, 0, 5));
}

static void write_browse (struct script *script, uint64_t seller) {
  for (unsigned i = 0; i < BROWSED_ITEMS; i++, seller = script_key (script))
    script_get (script, ROW (ITEM, seller, draw_item (script)));
  for (unsigned i = 0; i < BROWSED_USERS; i++)
    script_get (script, ROW (RATING, script_key (script)));
}

static const struct profile profiles[] = { { 10, write_register_user }, { 15, write_register_item },
                                           { 10, write_bid },           { 5, write_buy },
                                           { 20, write_comment },       { 40, write_browse } };

const struct application application_rubis = { tables, profiles };
