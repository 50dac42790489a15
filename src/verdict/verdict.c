#include "verdict/verdict.h"

const char *verdict_name (enum verdict verdict) {
  switch (verdict) {
  case VERDICT_VALID: return "valid";
  case VERDICT_INVALID: return "invalid";
  case VERDICT_UNKNOWN: return "unknown";
  }
  return "?";
}

void check_options_default (struct check_options *options) {
  *options = (struct check_options){ .steps = { .stronger_first = true,
                                                .saturation = true,
                                                .guess = true,
                                                .components = true,
                                                .priority = true,
                                                .propagation = true,
                                                .static_lemmas = true,
                                                .stuck_reads = true,
                                                .overbooked = true,
                                                .windows = true } };
}
