// Twitter as Cobra has it: a thousand users (`keys`) who tweet, follow each other and read.
// Profiles and shares:
//   20% tweet:        the user's number of tweets, read and increased; the tweet under that number
//   40% follow:       (or no longer) the one's list of people followed and the other's list of
//     followers, both read and replaced
//   10% timeline:     whom the user follows, and of 10 users the latest tweet
//   10% show follows: both lists of a user
//   20% show tweets:  the latest 5 tweets of a user
// A list is one value; the 10 users of a timeline are drawn, not taken from the list.

#include "generate/workloads/all.h"

enum { FOLLOWERS, FOLLOWING, TWEET, USER };
enum { TIMELINE = 10, LATEST = 5 };

static const struct table tables[] = {
  { "followers", { 30 } }, { "following", { 30 } }, { "tweet", { 30, 30 } }, { "user", { 30 } }
};

// Tweets are numbered from 1 on.
static void write_tweet (struct script *script, uint64_t user) {
  const uint32_t count = script_get (script, ROW (USER, user));
  script_request (script, (struct request){ OP_PUT, ROW (TWEET, user, 1), .key_from = count });
  script_add (script, ROW (USER, user), count, 1);
}

static void write_follow (struct script *script, uint64_t user) {
  const uint64_t other = script_key (script);
  script_replace (script, ROW (FOLLOWING, user));
  script_replace (script, ROW (FOLLOWERS, other));
}

// Up to `most` tweets of a user, the latest first.
static void read_tweets (struct script *script, uint64_t user, uint64_t most) {
  const uint32_t count = script_get (script, ROW (USER, user));
  for (uint64_t i = 0; i < most; i++)
    script_request (script, (struct request){ OP_GET, ROW (TWEET, user) - i, .key_from = count, .when_from = count,
                                              .when = WHEN_AT_LEAST, .least = i + 1 });
}

static void write_timeline (struct script *script, uint64_t user) {
  script_get (script, ROW (FOLLOWING, user));
  for (unsigned i = 0; i < TIMELINE; i++)
    read_tweets (script, script_key (script), 1);
}

static void write_show_follows (struct script *script, uint64_t user) {
  script_get (script, ROW (FOLLOWING, user));
  script_get (script, ROW (FOLLOWERS, user));
}

static void write_show_tweets (struct script *script, uint64_t user) {
  read_tweets (script, user, LATEST);
}

static const struct profile profiles[] = { { 20, write_tweet },
                                           { 40, write_follow },
                                           { 10, write_timeline },
                                           { 10, write_show_follows },
                                           { 20, write_show_tweets } };

const struct application application_twitter = { tables, profiles };
