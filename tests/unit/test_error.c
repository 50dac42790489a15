// Errors are one line, whatever goes into them.

#include "base/error.h"
#include "greatest_main.h"

static const char *text_of (const char *message) {
  static struct error error;
  error = (struct error){ 0 };
  error_set (&error, "%s", message);
  return error.text;
}

TEST line_ends_and_tabs_become_one_blank (void) {
  ASSERT_STR_EQ ("connection failed: No such file Is the server running?",
                 text_of ("connection failed: No such file\n\tIs the server running?\n"));
  ASSERT_STR_EQ ("a b c", text_of ("a \r\n  b\t\v\fc"));
  PASS ();
}

TEST white_space_at_the_end_is_cut (void) {
  ASSERT_STR_EQ ("a", text_of ("a \n\n "));
  ASSERT_STR_EQ ("a", text_of ("a  "));
  ASSERT_STR_EQ ("", text_of ("\n"));
  PASS ();
}

TEST blanks_alone_stay (void) {
  ASSERT_STR_EQ ("my  file: no", text_of ("my  file: no"));
  PASS ();
}

TEST other_control_characters_are_shown (void) {
  ASSERT_STR_EQ ("a?b? c?", text_of ("a\033b\177\tc\001"));
  PASS ();
}

TEST the_first_error_stays (void) {
  struct error error = { 0 };
  ASSERT_FALSE (error_set (&error, "first\n"));
  ASSERT_FALSE (error_at_line (&error, "file", 1, 0, "second"));
  ASSERT_STR_EQ ("first", error.text);
  ASSERT_EQ (ERROR_INPUT, error.code);
  PASS ();
}

SUITE (errors) {
  RUN_TEST (line_ends_and_tabs_become_one_blank);
  RUN_TEST (white_space_at_the_end_is_cut);
  RUN_TEST (blanks_alone_stay);
  RUN_TEST (other_control_characters_are_shown);
  RUN_TEST (the_first_error_stays);
}

KRAIT_UNIT_MAIN (RUN_SUITE (errors);)
