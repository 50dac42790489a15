#include "generate/store.h"

#include <string.h>

enum { MOST_HEIGHT = sizeof ((struct store *) 0)->heads / sizeof (uint32_t) };

struct store *store_new (uint64_t seed) {
  struct store *store = mem_zalloc (sizeof *store);
  memset (store->heads, 0xff, sizeof store->heads);
  store->heights = random_fork (seed, UINT64_MAX);
  return store;
}

void store_free (struct store *store) {
  if (!store)
    return;
  VEC_FREE (store->items);
  VEC_FREE (store->versions);
  VEC_FREE (store->links);
  hash_set_free (&store->by_key);
  mem_free (store);
}

static bool same_key (const void *context, uint32_t index, const void *wanted) {
  return ((const struct item *) context)[index].key == *(const uint64_t *) wanted;
}

uint32_t store_find (const struct store *store, uint64_t key) {
  return hash_set_find (&store->by_key, hash_u64 (key), same_key, store->items.data, &key);
}

// ------------------------------------------------------------------------------------------- order

// The link on a level behind an item, or behind the head.
static uint32_t *link_behind (struct store *store, uint32_t item, unsigned level) {
  return item == NONE ? &store->heads[level] : &store->links.data[store->items.data[item].links + level];
}

static uint32_t behind (const struct store *store, uint32_t item, unsigned level) {
  return item == NONE ? store->heads[level] : store->links.data[store->items.data[item].links + level];
}

// On every level the last item before the key (NONE: the head).
static void find_places (const struct store *store, uint64_t key, uint32_t places[MOST_HEIGHT]) {
  uint32_t at = NONE;
  for (unsigned level = MOST_HEIGHT; level-- > 0;) {
    for (uint32_t next = behind (store, at, level); next != NONE && store->items.data[next].key < key;
         next = behind (store, at, level))
      at = next;
    places[level] = at;
  }
}

static void put_in_order (struct store *store, uint32_t item) {
  uint32_t places[MOST_HEIGHT];
  find_places (store, store->items.data[item].key, places);
  uint32_t height = 1;
  while (height < MOST_HEIGHT && (random_next (&store->heights) & 3) == 0)
    height++;
  store->items.data[item].links = (uint32_t) store->links.count;
  store->items.data[item].height = height;
  for (unsigned level = 0; level < height; level++)
    VEC_PUSH (store->links, behind (store, places[level], level));
  for (unsigned level = 0; level < height; level++)
    *link_behind (store, places[level], level) = item;
}

uint32_t store_item (struct store *store, uint64_t key) {
  uint32_t item = store_find (store, key);
  if (item != NONE)
    return item;
  item = (uint32_t) store->items.count;
  VEC_PUSH (store->items, (struct item){ .key = key, .newest = NONE, .exclusive = NONE });
  hash_set_insert (&store->by_key, hash_u64 (key), item);
  put_in_order (store, item);
  return item;
}

uint32_t store_seek (const struct store *store, uint64_t key) {
  uint32_t places[MOST_HEIGHT];
  find_places (store, key, places);
  return behind (store, places[0], 0);
}

uint32_t store_next (const struct store *store, uint32_t item) {
  return behind (store, item, 0);
}

// ---------------------------------------------------------------------------------------- versions

uint32_t store_visible (const struct store *store, uint32_t item, const struct snapshot *snapshot) {
  uint32_t version = store->items.data[item].newest;
  while (version != NONE && !version_in (&store->versions.data[version], snapshot))
    version = store->versions.data[version].older;
  return version;
}

struct snapshot store_now (const struct store *store) {
  struct snapshot now;
  memcpy (now.seen, store->commits, sizeof now.seen);
  return now;
}

void store_install (struct store *store, uint32_t item, uint64_t value, bool live, unsigned replica, uint32_t commit) {
  VEC_PUSH (store->versions,
            (struct item_version){ store->items.data[item].newest, commit, value, (uint8_t) replica, live });
  store->items.data[item].newest = (uint32_t) (store->versions.count - 1);
}
