// A number that two histories hardly share, the same in every process: whether a file was made of
// this history.

#ifndef KRAIT_HISTORY_DIGEST_H
#define KRAIT_HISTORY_DIGEST_H

#include "history/history.h"

uint64_t history_digest (const struct history *); // of a finished one, whatever its name is

#endif
