// Sentences for what is wrong by itself. %a is who read, %b who wrote what was read, or did what
// does not fit to it.

#include "asg/asg.h"
#include "explain/violation_words.h"

static const char *sentence_of_nobody (const struct shown_read *read) {
  if (read->flags & READ_OTHER)
    return "%a %r, which nobody wrote that it could have been.";
  return read->value == VALUE_ABSENT
           ? "%a %r, which nobody wrote: the key was there from the start, and nobody deleted it."
           : "%a %r, which nobody wrote and which is not its initial value.";
}

static const char *sentence_of (const struct violation_fault *f) {
  switch (f->told) {
  case TOLD_OWN_READ:
    return "%a wrote %k = %v and then read it: only its own write explains that, and the own-write policy `external` "
           "forbids to see it.";
  case TOLD_IMPOSSIBLE_SOURCE:
    return "%a %r, which %b wrote, as a hint says, whose outcome is unknown and which cannot have committed.";
  case TOLD_INTERMEDIATE:
    return f->other_unknown ? "%a %r, which %b wrote but then overwrote itself: nobody else may see it, even if that "
                              "transaction, whose outcome is unknown, took place."
                            : "%a %r, which %b wrote but then overwrote itself: nobody else may see it.";
  case TOLD_ABORTED: return "%a %r, which only %b wrote, and that transaction aborted.";
  case TOLD_LEFT_OUT: return "%a %r, which only %b wrote, whose outcome is unknown and which cannot have committed.";
  case TOLD_OWN_LATER: return "%a %r, which only %a itself wrote, and only later.";
  case TOLD_OWN_OVERWRITTEN: return "%a %r, which only %a itself wrote and then overwrote.";
  case TOLD_NOBODY: return sentence_of_nobody (&f->read);
  case TOLD_TWO_INITIAL:
    return "%a %r and %b read another value; nobody else wrote either, and only one can be the initial value.";
  case TOLD_RESULT:
    return f->read.op == OP_INC
             ? "%a got a result from its %s that no state can have: the new value is not an integer, "
               "or no integer gives it."
             : "%a got a result from its %s that no state can have: items out of range, out of order "
               "or repeated.";
  case TOLD_ELEMENT_NOBODY: return "%a read a list %k that holds %v, which nobody appended.";
  case TOLD_ELEMENT_ABORTED: return "%a read a list %k that holds %v, which %b appended, and that transaction aborted.";
  case TOLD_ELEMENT_LEFT_OUT:
    return "%a read a list %k that holds %v, which %b appended, whose outcome is unknown and which cannot have "
           "committed.";
  case TOLD_LIST: return "%a read a list %k that no order of appends gives.";
  case TOLD_LIST_TWICE: return "%a read a list %k that holds %v twice, and it was appended once.";
  case TOLD_TWO_LISTS:
    return "%a read a list %k, and %b read another one; neither is the beginning of the other, so no order of appends "
           "gives both.";
  case TOLD_MIXED_APPENDS:
    return "%a read a list %k that mixes what %b appended with the appends of others, or lacks some of it.";
  case TOLD_UNEXPLAINED: return "%a took place, but nothing explains what it read.";
  case TOLD_OWN_WRITE: break;
  }
  return "";
}

static void words_own_write (words *w, const struct history *h, const struct violation_fault *f) {
  SAY (w, h,
       f->written == VALUE_ABSENT ? "%a deleted %k and then "
       : f->appended              ? "%a appended to %k the value %v and then "
                                  : "%a wrote %k = %v and then ",
       .a = { .id = f->reader }, .key = f->read.key, .value = f->written);
  SAY (w, h, f->read.op == OP_GET ? "read %v: it does not see its own write." : "%r: it does not see its own write.",
       .value = f->read.value, .read = &f->read);
}

void words_fault (words *w, const struct history *h, const struct violation_fault *f) {
  if (f->told == TOLD_OWN_WRITE)
    words_own_write (w, h, f);
  else
    SAY (w, h, sentence_of (f), .a = { .id = f->reader }, .b = { .id = f->other }, .key = f->read.key,
         .value = f->read.value, .read = &f->read, .text = op_kind_name (f->read.op));
}
