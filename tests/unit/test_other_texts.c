// The formats of AWDIT, Viper and TimeKiller, told as Krait text. Mistakes are in tests/malformed.

#include "greatest_main.h"
#include "tests/support/round_trip.h"
#include "tests/support/scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct error error;

static const char *told_history (struct history *h) {
  const char *why = "";
  if (!h)
    return error.text;
  if (!history_validate (h, &why))
    return why;
  struct history *again = round_trip (h, &format_kht, &error);
  history_free (h);
  history_free (again);
  size_t length;
  return round_trip_text (&length);
}

static const char *told (const char *text, const struct format *format) {
  error = (struct error){ 0 };
  return told_history (history_read_memory ("test", text, strlen (text), format, &error));
}

TEST says (const struct format *format, const char *text, const char *expected) {
  ASSERT_STR_EQ (expected, told (text, format));
  PASS ();
}

TEST found_by_content (const struct format *format, const char *text) {
  for (size_t i = 0; formats[i]; i++)
    if (formats[i]->read)
      ASSERT_EQ (formats[i] == format, format_begins_so (formats[i], "", text, strlen (text)));
  PASS ();
}

TEST every_truncation_is_survived (const struct format *format, const char *text) {
  for (size_t length = 0; length < strlen (text); length++) {
    char *exact = mem_alloc (length + !length);
    memcpy (exact, text, length);
    error = (struct error){ 0 };
    struct history *h = history_read_memory ("test", exact, length, format, &error);
    ASSERT (h || (error.code == ERROR_INPUT && !strncmp (error.text, "test:", 5)));
    history_free (h);
    mem_free (exact);
  }
  PASS ();
}

static bool make_file (const char *name, const char *text) {
  FILE *file = fopen (scratch_path (name), "w");
  return file && fputs (text, file) >= 0 && !fclose (file);
}

TEST viper_folders_have_a_log_per_session (const struct format *format) {
  mkdir (scratch_path ("viper"), 0777);
  ASSERT (make_file ("viper/J10.log", "{\"value\":[[\"r\",1,5,false]]}\n"));
  ASSERT (make_file ("viper/J2.log", "{\"value\":[[\"w\",1,5,true]]}\n{\"value\":[]}\n"));
  ASSERT (make_file ("viper/other.log", "not ours"));
  error = (struct error){ 0 };
  ASSERT_STR_EQ ("krait 1 keys=int init=any\n"
                 "s2 T1 { put 1 5 } commit\n"
                 "s2 T2 { } commit\n"
                 "s10 T3 { get 1 -> 5 } commit\n",
                 told_history (history_read (scratch_path ("viper"), format, &error)));
  PASS ();
}

TEST viper_folders_name_the_bad_file (void) {
  mkdir (scratch_path ("bad"), 0777);
  ASSERT (make_file ("bad/J1.log", "{\"value\":[]}\n"));
  ASSERT (make_file ("bad/J2.log", "{\"value\":[]}\n{}\n"));
  error = (struct error){ 0 };
  ASSERT_FALSE (history_read (scratch_path ("bad"), NULL, &error));
  ASSERT (strstr (error.text, "bad/J2.log:2:1: a transaction without \"value\""));
  PASS ();
}

#define INT "krait 1 keys=int init=absent\n"

SUITE (awdit) {
  static const char text[] = "w 0 1\r\nw -1 18446744073709551615\n-----\n\n r 0  1 \n=====\n-----\nr 0 1\n\n=====\n";
  RUN_TESTp (says, &format_awdit, text,
             INT "s0 T1 { put 0 1; put -1 18446744073709551615 } commit\n"
                 "s0 T2 { get 0 -> 1 } commit\n"
                 "s1 T3 { get 0 -> 1 } commit\n");
  RUN_TESTp (found_by_content, &format_awdit, text);
  RUN_TESTp (every_truncation_is_survived, &format_awdit, text);
}

SUITE (viper) {
  static const char text[] =
    "{\"value\": [[\"w\", 9, -5, true], [\"r\", 3, null, false]], \"n\": {}}\n\n{\"value\": [[\"r\", 9, 7]]}";
  RUN_TESTp (says, &format_viper, text,
             "krait 1 keys=int init=any\n"
             "s0 T1 { put 9 -5; get 3 -> nil } commit\n"
             "s0 T2 { get 9 -> 7 } commit\n");
  RUN_TESTp (found_by_content, &format_viper, text);
  RUN_TESTp (every_truncation_is_survived, &format_viper, text);
  RUN_TEST1 (viper_folders_have_a_log_per_session, NULL);
  RUN_TEST1 (viper_folders_have_a_log_per_session, &format_viper);
  RUN_TEST (viper_folders_name_the_bad_file);
}

SUITE (timekiller) {
  static const char text[] =
    "[\n {\"cts\": {\"l\": 0, \"p\": \"320\"}, \"ops\": [{\"k\": 313, \"t\": \"r\", \"v\": 0},\n"
    "  {\"t\":\"w\",\"k\":4,\"v\":8}], \"sid\": 32, \"sts\": {\"p\":318,\"l\":7}, \"tid\": \"50\"},\n"
    " {\"sid\":1, \"ops\":[{\"t\":\"r\",\"k\":4,\"v\":null}], \"more\":[]}]\n";
  RUN_TESTp (says, &format_timekiller, text,
             "krait 1 keys=int init=0\n"
             "s32 T50 [318 320] { get 313 -> 0; put 4 8 } commit\n"
             "s1 T2 { get 4 -> nil } commit\n");
  RUN_TESTp (found_by_content, &format_timekiller, text);
  RUN_TESTp (every_truncation_is_survived, &format_timekiller, text);
  RUN_TESTp (says, &format_timekiller,
             "[{\"tid\":1,\"sid\":1,\"ops\":[{\"t\":\"a\",\"k\":1,\"v\":2},{\"t\":\"r\",\"k\":1,\"v\":[2,3]},"
             "{\"t\":\"r\",\"k\":2,\"v\":[]},{\"t\":\"r\",\"k\":1,\"v\":null}]}]",
             INT "s1 T1 { append 1 2; list 1 -> [2 3]; list 2 -> []; list 1 -> nil } commit\n");
  RUN_TESTp (says, &format_timekiller,
             "[{\"sid\":1,\"ops\":[{\"t\":\"a\",\"k\":1,\"v\":2},{\"t\":\"w\",\"k\":2,\"v\":3}]}]",
             "krait 1 keys=int init=0\ninit { 1=nil }\ns1 T1 { append 1 2; put 2 3 } commit\n");
}

KRAIT_UNIT_MAIN (RUN_SUITE (awdit); RUN_SUITE (viper); RUN_SUITE (timekiller);)
