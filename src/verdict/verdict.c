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
  *options = (struct check_options){ .steps = { true, true, true, true, true, true, true } };
}
