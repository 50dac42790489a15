// Retwis, the Twitter clone that came with Redis, in the mix that TAPIR's evaluation made known.
// Profiles and shares:
//    5% add user: 1 get, 3 puts: the user, and two empty lists
//   15% follow:   2 gets, 2 puts: the one's list of people followed, the other's list of followers
//   30% post:     3 gets, 5 puts: the user's number of posts; the post itself, and the user's page;
//     two followers' timelines
//   50% timeline: 1 to 10 gets, of the timelines of as many users
// A list is one value. `keys` is the number of users.

#include "generate/workloads/all.h"

enum { FOLLOWERS, FOLLOWING, PAGE, POST, TIMELINE, USER };
enum { MOST_TIMELINES = 10 };

static const struct table tables[] = { { "followers", { 30 } }, { "following", { 30 } }, { "page", { 30 } },
                                       { "post", { 30, 30 } },  { "timeline", { 30 } },  { "user", { 30 } } };

// A user that was there already keeps the number of posts.
static void write_add_user (struct script *script, uint64_t user) {
  script_update (script, ROW (USER, user), 0);
  script_put (script, ROW (FOLLOWING, user));
  script_put (script, ROW (FOLLOWERS, user));
}

static void write_post (struct script *script, uint64_t user) {
  const uint32_t posts = script_get (script, ROW (USER, user));
  script_add (script, ROW (USER, user), posts, 1);
  script_request (script, (struct request){ OP_PUT, ROW (POST, user), .key_from = posts });
  script_put (script, ROW (PAGE, user));
  script_replace (script, ROW (TIMELINE, script_key (script)));
  script_replace (script, ROW (TIMELINE, script_key (script)));
}

static void write_follow (struct script *script, uint64_t user) {
  script_replace (script, ROW (FOLLOWING, user));
  script_replace (script, ROW (FOLLOWERS, script_key (script)));
}

static void write_timeline (struct script *script, uint64_t user) {
  for (uint64_t i = random_between (script->random, 1, MOST_TIMELINES); i; i--, user = script_key (script))
    script_get (script, ROW (TIMELINE, user));
}

static const struct profile profiles[] = {
  { 5, write_add_user }, { 15, write_follow }, { 30, write_post }, { 50, write_timeline }
};

const struct application application_retwis = { tables, profiles };
