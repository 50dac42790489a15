// Sentences for what is wrong by itself.

#include "explain/violation_words.h"

#include "asg/asg.h"

#include <inttypes.h>

static const char cannot_have_committed[] = ", whose outcome is unknown and which cannot have committed";

static void words_reader (words *w, const struct violation_fault *f) {
  words_add (w, "T%" PRIu64 " ", f->reader);
}

// ----------------------------------------------------------------------------------------------------------------- a read

static void words_own_read (words *w, const struct history *h, const struct violation_fault *f) {
  words_reader (w, f);
  words_add (w, "wrote ");
  words_key (w, h, f->read.key);
  words_add (w, " = ");
  words_value (w, h, f->read.value);
  words_add (w, " and then read it: only its own write explains that, and the own-write policy `external` forbids "
                "to see it");
}

static void words_nobody (words *w, const struct shown_read *read) {
  words_add (w, ", which nobody wrote%s",
             read->flags & READ_OTHER      ? " that it could have been"
             : read->value == VALUE_ABSENT ? ": the key was there from the start, and nobody deleted it"
                                           : " and which is not its initial value");
}

static void words_no_source (words *w, const struct history *h, const struct violation_fault *f) {
  words_reader (w, f);
  words_read (w, h, &f->read);
  switch (f->told) {
  case TOLD_IMPOSSIBLE_SOURCE:
    words_add (w, ", which T%" PRIu64 " wrote, as a hint says%s", f->other, cannot_have_committed);
    return;
  case TOLD_INTERMEDIATE:
    words_add (w, ", which T%" PRIu64 " wrote but then overwrote itself: nobody else may see it%s", f->other,
               f->other_unknown ? ", even if that transaction, whose outcome is unknown, took place" : "");
    return;
  case TOLD_ABORTED: words_add (w, ", which only T%" PRIu64 " wrote, and that transaction aborted", f->other); return;
  case TOLD_LEFT_OUT: words_add (w, ", which only T%" PRIu64 " wrote%s", f->other, cannot_have_committed); return;
  case TOLD_OWN_LATER: words_add (w, ", which only T%" PRIu64 " itself wrote, and only later", f->reader); return;
  case TOLD_OWN_OVERWRITTEN:
    words_add (w, ", which only T%" PRIu64 " itself wrote and then overwrote", f->reader);
    return;
  case TOLD_TWO_INITIAL:
    words_add (w,
               " and T%" PRIu64 " read another value; nobody else wrote either, and only one can be the initial value",
               f->other);
    return;
  default: words_nobody (w, &f->read); return;
  }
}

// ----------------------------------------------------------------------------------------------------------- an own write

static void words_own_write (words *w, const struct history *h, const struct violation_fault *f) {
  const bool deleted = f->written == VALUE_ABSENT;
  words_reader (w, f);
  words_add (w, deleted ? "deleted " : f->appended ? "appended to " : "wrote ");
  words_key (w, h, f->read.key);
  if (!deleted) {
    words_add (w, f->appended ? " the value " : " = ");
    words_value (w, h, f->written);
  }
  words_add (w, " and then ");
  if (f->read.op == OP_GET) {
    words_add (w, "read ");
    words_value (w, h, f->read.value);
  } else
    words_read (w, h, &f->read);
  words_add (w, ": it does not see its own write");
}

// ----------------------------------------------------------------------------------------------------------------- a list

static void words_element (words *w, const struct history *h, const struct violation_fault *f) {
  words_add (w, " that holds ");
  words_value (w, h, f->read.value);
  if (f->told == TOLD_LIST_TWICE)
    words_add (w, " twice, and it was appended once");
  else if (f->told == TOLD_ELEMENT_NOBODY)
    words_add (w, ", which nobody appended");
  else
    words_add (w, ", which T%" PRIu64 " appended%s", f->other,
               f->told == TOLD_ELEMENT_ABORTED ? ", and that transaction aborted" : cannot_have_committed);
}

static void words_wrong_list (words *w, const struct history *h, const struct violation_fault *f) {
  words_reader (w, f);
  words_add (w, "read a list ");
  words_key (w, h, f->read.key);
  if (f->told == TOLD_LIST)
    words_add (w, " that no order of appends gives");
  else if (f->told == TOLD_TWO_LISTS)
    words_add (w,
               ", and T%" PRIu64
               " read another one; neither is the beginning of the other, so no order of appends gives both",
               f->other);
  else if (f->told == TOLD_MIXED_APPENDS)
    words_add (w, " that mixes what T%" PRIu64 " appended with the appends of others, or lacks some of it", f->other);
  else
    words_element (w, h, f);
}

void words_fault (words *w, const struct history *h, const struct violation_fault *f) {
  switch (f->told) {
  case TOLD_OWN_READ: words_own_read (w, h, f); break;
  case TOLD_OWN_WRITE: words_own_write (w, h, f); break;
  case TOLD_RESULT:
    words_reader (w, f);
    words_add (w, "got a result from its %s that no state can have: items out of range, out of order or repeated",
               op_kind_name (f->read.op));
    break;
  case TOLD_ELEMENT_NOBODY:
  case TOLD_ELEMENT_ABORTED:
  case TOLD_ELEMENT_LEFT_OUT:
  case TOLD_LIST:
  case TOLD_LIST_TWICE:
  case TOLD_TWO_LISTS:
  case TOLD_MIXED_APPENDS: words_wrong_list (w, h, f); break;
  case TOLD_UNEXPLAINED:
    words_reader (w, f);
    words_add (w, "took place, but nothing explains what it read");
    break;
  default: words_no_source (w, h, f); break;
  }
  words_add (w, ".");
}
