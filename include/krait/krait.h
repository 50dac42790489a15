// Krait as a library: reads a history of database transactions and says whether it satisfies an
// isolation level.
//
//   char message[KRAIT_MESSAGE_SIZE];
//   krait_history *history = krait_history_open ("run.jsonl", NULL, message, sizeof message);
//   krait_options *options = krait_options_new ();
//   krait_options_set_level (options, "strong-session-serializable");
//   krait_result *result = krait_check (history, options);
//   puts (krait_result_json (result));
//
// All functions may be called from several threads, as long as no two of them use the same object
// at once; a history may be checked by several threads, each with options of its own. Texts that a
// function returns belong to the object that it was asked of. docs/embedding.md says more.

#ifndef KRAIT_KRAIT_H
#define KRAIT_KRAIT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KRAIT_API __attribute__ ((visibility ("default")))
#else
#define KRAIT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct krait_history krait_history;
typedef struct krait_options krait_options;
typedef struct krait_result krait_result;

// KRAIT_BAD_INPUT: the history's hints are malformed, or it contradicts them; krait_result_reason
// says where.
typedef enum krait_verdict { KRAIT_VALID = 0, KRAIT_INVALID = 1, KRAIT_BAD_INPUT = 2, KRAIT_UNKNOWN = 3 } krait_verdict;

#define KRAIT_MESSAGE_SIZE 768 // longest message of the functions below, with its terminator

KRAIT_API const char *krait_version (void); // "0.1.0"

// The isolation levels, numbered from 0. Beyond the last one: NULL.
KRAIT_API size_t krait_level_count (void);
KRAIT_API const char *krait_level_name (size_t level);
KRAIT_API const char *krait_level_aliases (size_t level);    // with spaces between them
KRAIT_API const char *krait_level_proscribes (size_t level); // one line

// The dialects, likewise.
KRAIT_API size_t krait_dialect_count (void);
KRAIT_API const char *krait_dialect_name (size_t dialect);
KRAIT_API const char *krait_dialect_about (size_t dialect); // one line

// Reading. `format` is a name such as "jsonl", or NULL: found from the content. On failure NULL,
// and what is wrong in `message` (file, place, what was expected and what was found), which may be
// NULL.
KRAIT_API krait_history *krait_history_open (const char *path, const char *format, char *message, size_t size);
KRAIT_API krait_history *krait_history_read_memory (const char *name, const void *bytes, size_t length,
                                                    const char *format, char *message, size_t size);
KRAIT_API void krait_history_free (krait_history *);

KRAIT_API uint64_t krait_history_transactions (const krait_history *);
KRAIT_API uint64_t krait_history_sessions (const krait_history *);
KRAIT_API uint64_t krait_history_operations (const krait_history *);
KRAIT_API uint64_t krait_history_keys (const krait_history *);

// Another initial state: "absent", "any", or one value for every key. 0 if that cannot be.
KRAIT_API int krait_history_set_init (krait_history *, const char *init);

// Options. The setters that can fail return 0 then, and change nothing.
KRAIT_API krait_options *krait_options_new (void);
KRAIT_API void krait_options_free (krait_options *);
// name or alias; there is no default
KRAIT_API int krait_options_set_level (krait_options *, const char *name);
KRAIT_API int krait_options_set_own_writes (krait_options *,
                                            const char *name); // "must" (default), "external", "may", "infer"
// NULL: none (default)
KRAIT_API int krait_options_set_dialect (krait_options *, const char *name);
KRAIT_API void krait_options_set_clock_skew (krait_options *, int64_t nanoseconds); /* below 0 counts as 0 */
KRAIT_API void krait_options_set_trust_commit_ts (krait_options *,
                                                  // commit timestamps of hints are facts; 0: they
                                                  // are not (default)
                                                  int trust);
// of each check; 0: none
KRAIT_API void krait_options_set_timeout (krait_options *, double seconds);
KRAIT_API void krait_options_set_memory (krait_options *,
                                         // resident, of the whole process; 0: no limit
                                         uint64_t bytes);
KRAIT_API void krait_options_set_threads (krait_options *, unsigned threads); // 0: one per core
KRAIT_API void krait_options_set_seed (krait_options *, uint64_t seed);

// Called at the beginning of each phase, in the thread that checks. `fraction` is negative when it
// is not known.
typedef void (*krait_progress) (void *context, const char *phase, double fraction);
KRAIT_API void krait_options_set_progress (krait_options *, krait_progress, void *context);

// Ends checks that run with these options, soon, with the verdict unknown. For other threads and
// signal handlers.
KRAIT_API void krait_options_stop (krait_options *);

// Asked when the system refuses memory to the library, in the thread that wanted so many bytes. 1:
// something was freed, try again. 0, or no handler: the process ends, with one line on standard
// error and exit code 3, without functions registered with atexit. A handler may end the process in
// its own way; it must not come back by longjmp. For all threads; set it before anything else.
typedef int (*krait_memory_handler) (void *context, size_t bytes);
KRAIT_API void krait_set_memory_handler (krait_memory_handler, void *context);

// The verdict. NULL only if no level was set.
KRAIT_API krait_result *krait_check (const krait_history *, const krait_options *);
KRAIT_API void krait_result_free (krait_result *);

KRAIT_API krait_verdict krait_result_verdict (const krait_result *);
KRAIT_API const char *krait_result_level (const krait_result *); // its full name
KRAIT_API const char *
krait_result_own_writes (const krait_result *); // "must", "external" or "may": the policy that was used, or inferred
// its name; NULL if there was none
KRAIT_API const char *krait_result_dialect (const krait_result *);
KRAIT_API const char *
krait_result_reason (const krait_result *); // why it is unknown, or what is wrong with the hints; else NULL
KRAIT_API const char *
krait_result_anomaly (const krait_result *); // Adya's class, such as "G-single"; NULL if not invalid
KRAIT_API const char *krait_result_anomaly_name (const krait_result *); // such as "lost-update"; or NULL
KRAIT_API const char *krait_result_explanation (const krait_result *);  // lines of words; or NULL
KRAIT_API const char *krait_result_warnings (const krait_result *);     // lines; or NULL
KRAIT_API const char *krait_result_hints (
  const krait_result *); // those that the verdict rests on, such as "versionOrder, version"; NULL if there are none
// what `krait check --json` prints, without the newline
KRAIT_API const char *krait_result_json (const krait_result *);

// The transactions in conflict, by id.
KRAIT_API size_t krait_result_core_size (const krait_result *);
KRAIT_API uint64_t krait_result_core_id (const krait_result *, size_t number);

#ifdef __cplusplus
}
#endif

#endif
