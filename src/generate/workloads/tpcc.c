// TPC-C as key-value transactions: a row is a key, and its value the one number of the row that the
// transactions are about. Profiles and shares:
//   45% new order:    the next number of the district, read and increased; the order, its place in
//     the queue and in the customer's index; 5 to 15
//                     lines: the item, its stock (1% at another warehouse), the line
//   43% payment:      the takings of the warehouse, of the district, and the customer's balance
//     (15%: of another warehouse), each read and increased; a
//                     row of history
//    4% order status: a customer, the latest order (an iterator backwards), its lines (a range
//      query)
//    4% delivery:     the oldest order of a district's queue (an iterator), taken out of it (a
//      delete) and given a carrier; its lines; the customer's balance
//    4% stock level:  the lines of the last 20 orders of a district (a range query), the stock of
//      10 items
// As specified: 10 districts per warehouse, 3,000 customers per district, 100,000 items, their
// numbers drawn by NURand. Left out: the initial load, customers by name, what delivery writes into
// lines. One delivery is of one district, and starts where the last one found its order, so as not
// to wade through deleted keys. Rows that are written after they were read are read for update.
// `keys` is the number of warehouses, up to 2^20 different ones.

#include "generate/workloads/all.h"

enum {
  CUSTOMER,
  CUSTOMER_ORDER,
  DELIVERED,
  DISTRICT,
  DISTRICT_ORDER,
  HISTORY,
  ITEM,
  NEW_ORDER,
  ORDER,
  ORDER_LINE,
  STOCK,
  WAREHOUSE
};
enum { DISTRICTS = 10, CUSTOMERS = 3000, ITEMS = 100000, FEWEST_LINES = 5, MOST_LINES = 15, RECENT = 20, LEVELS = 10 };
enum { FIRST = 3001 }; // order; the load would have made those before
// an order's value is its customer and, above, its carrier
enum { LINE_BITS = 4, CUSTOMER_BITS = 12 };
enum { MOST_PAID = 5000, MOST_QUANTITY = 10 };

static const struct table tables[] = { { "customer", { 20, 4, CUSTOMER_BITS } },
                                       { "customer_order", { 20, 4, CUSTOMER_BITS, 24 } },
                                       { "delivered", { 20, 4 } },
                                       { "district", { 20, 4 } },
                                       { "district_order", { 20, 4 } },
                                       { "history", { 20, 40 } },
                                       { "item", { 17 } },
                                       { "new_order", { 20, 4, 24 } },
                                       { "order", { 20, 4, 24 } },
                                       { "order_line", { 20, 4, 24, LINE_BITS } },
                                       { "stock", { 20, 17 } },
                                       { "warehouse", { 20 } } };

// NURand (A, 0, below - 1) of the specification, clause 2.1.6, with C = 0.
static uint64_t draw_unevenly (struct script *script, uint64_t a, uint64_t below) {
  return (random_below (script->random, a + 1) | random_below (script->random, below)) % below;
}

static uint64_t draw_district (struct script *script) {
  return random_below (script->random, DISTRICTS);
}

static uint64_t draw_customer (struct script *script) {
  return draw_unevenly (script, 1023, CUSTOMERS);
}

static uint64_t draw_item (struct script *script) {
  return draw_unevenly (script, 8191, ITEMS);
}

// The same warehouse, or in `share` of all cases any.
static uint64_t mostly_here (struct script *script, uint64_t warehouse, double share) {
  return random_chance (script->random, share) ? script_key (script) : warehouse;
}

static uint32_t get_for_update (struct script *script, uint64_t key) {
  return script_request (script, (struct request){ OP_GET, key, .flags = OP_LOCK_UPDATE });
}

static void increase (struct script *script, uint64_t key, uint64_t by) {
  script_add (script, key, get_for_update (script, key), by);
}

// A put under the number of an order, of a value or (VALUE_PLUS) of the number itself.
static void put_for_order (struct script *script, uint64_t key, uint32_t number, enum value_kind kind, uint64_t value) {
  script_request (script, (struct request){ OP_PUT, key, .key_from = number, .value_from = number, .value_kind = kind,
                                            .value = value });
}

static void write_line (struct script *script, uint64_t warehouse, uint64_t district, uint32_t number, uint64_t line) {
  const uint64_t item = draw_item (script), supplier = mostly_here (script, warehouse, 0.01);
  script_get (script, ROW (ITEM, item));
  increase (script, ROW (STOCK, supplier, item), random_between (script->random, 1, MOST_QUANTITY));
  const uint64_t key = ROW (ORDER_LINE, warehouse, district, FIRST, line);
  script_request (script, (struct request){ OP_PUT, key, .key_from = number, .shift = LINE_BITS });
}

static void write_new_order (struct script *script, uint64_t w) {
  const uint64_t d = draw_district (script), c = draw_customer (script);
  script_get (script, ROW (WAREHOUSE, w));
  script_get (script, ROW (CUSTOMER, w, d, c));
  const uint32_t number = get_for_update (script, ROW (DISTRICT_ORDER, w, d));
  script_add (script, ROW (DISTRICT_ORDER, w, d), number, 1);
  put_for_order (script, ROW (ORDER, w, d, FIRST), number, VALUE_GIVEN, c);
  put_for_order (script, ROW (NEW_ORDER, w, d, FIRST), number, VALUE_PLUS, 0);
  put_for_order (script, ROW (CUSTOMER_ORDER, w, d, c, FIRST), number, VALUE_PLUS, 0);
  const uint64_t lines = random_between (script->random, FEWEST_LINES, MOST_LINES);
  for (uint64_t line = 0; line < lines; line++)
    write_line (script, w, d, number, line);
}

static void write_payment (struct script *script, uint64_t w) {
  const uint64_t d = draw_district (script), paid = random_between (script->random, 1, MOST_PAID);
  const uint64_t customers = mostly_here (script, w, 0.15);
  increase (script, ROW (WAREHOUSE, w), paid);
  increase (script, ROW (DISTRICT, w, d), paid);
  increase (script, ROW (CUSTOMER, customers, d, draw_customer (script)), paid);
  script_put (script, ROW (HISTORY, script->session, script->memory[0]++));
}

// The lines of orders that are numbered from a reply on.
static struct request lines_of (uint64_t w, uint64_t d, uint64_t first, uint64_t end, uint32_t number) {
  return (struct request){ OP_SCAN,
                           ROW (ORDER_LINE, w, d, first),
                           ROW (ORDER_LINE, w, d, end),
                           .key_from = number,
                           .high_from = number,
                           .shift = LINE_BITS };
}

// The lines of the order that a request has found, if it has.
static void scan_lines (struct script *script, uint64_t w, uint64_t d, uint32_t number) {
  struct request lines = lines_of (w, d, FIRST, FIRST + 1, number);
  lines.when_from = number;
  script_request (script, lines);
}

// A request about the row that a reply names, if there is one.
static uint32_t follow (struct script *script, enum op_kind kind, uint64_t key, uint32_t number, unsigned flags) {
  return script_request (script,
                         (struct request){ kind, key, .key_from = number, .when_from = number, .flags = flags });
}

static void write_order_status (struct script *script, uint64_t w) {
  const uint64_t d = draw_district (script), c = draw_customer (script);
  script_get (script, ROW (CUSTOMER, w, d, c));
  const uint32_t number =
    script_request (script, (struct request){ OP_ITER, ROW (CUSTOMER_ORDER, w, d, c), ROW (CUSTOMER_ORDER, w, d, c + 1),
                                              .flags = OP_ITER_REVERSE, .most = 1 });
  follow (script, OP_GET, ROW (ORDER, w, d, FIRST), number, 0);
  scan_lines (script, w, d, number);
}

// The oldest order of the queue that is not before the one that a request has read.
static uint32_t find_oldest (struct script *script, uint64_t w, uint64_t d, uint32_t delivered) {
  return script_request (script, (struct request){ OP_ITER, ROW (NEW_ORDER, w, d, FIRST), ROW (NEW_ORDER, w, d + 1),
                                                   .key_from = delivered, .most = 1 });
}

static void write_delivery (struct script *script, uint64_t w) {
  const uint64_t d = draw_district (script), carrier = random_between (script->random, 1, 10);
  const uint32_t number = find_oldest (script, w, d, get_for_update (script, ROW (DELIVERED, w, d)));
  follow (script, OP_DEL, ROW (NEW_ORDER, w, d, FIRST), number, 0);
  script_request (script, (struct request){ OP_PUT, ROW (DELIVERED, w, d), .when_from = number, .value_from = number,
                                            .value_kind = VALUE_PLUS, .value = 1 });
  const uint32_t order = follow (script, OP_GET, ROW (ORDER, w, d, FIRST), number, OP_LOCK_UPDATE);
  script_request (script,
                  (struct request){ OP_PUT, ROW (ORDER, w, d, FIRST), .key_from = number, .when_from = order,
                                    .value_from = order, .value_kind = VALUE_PLUS, .value = carrier << CUSTOMER_BITS });
  scan_lines (script, w, d, number);
  const uint32_t balance = follow (script, OP_GET, ROW (CUSTOMER, w, d), order, OP_LOCK_UPDATE);
  script_request (script, (struct request){ OP_PUT, ROW (CUSTOMER, w, d), .key_from = order, .when_from = order,
                                            .value_from = balance, .value_kind = VALUE_PLUS,
                                            .value = random_between (script->random, 1, MOST_PAID) });
}

static void write_stock_level (struct script *script, uint64_t w) {
  const uint64_t d = draw_district (script);
  script_request (script, lines_of (w, d, FIRST - RECENT, FIRST, script_get (script, ROW (DISTRICT_ORDER, w, d))));
  for (unsigned i = 0; i < LEVELS; i++)
    script_get (script, ROW (STOCK, w, draw_item (script)));
}

static const struct profile profiles[] = { { 45, write_new_order },
                                           { 43, write_payment },
                                           { 4, write_order_status },
                                           { 4, write_delivery },
                                           { 4, write_stock_level } };

const struct application application_tpcc = { tables, profiles };
