// Every level, declared once; levels.c lists them in the order of `krait levels`.

#ifndef KRAIT_LEVELS_ALL_H
#define KRAIT_LEVELS_ALL_H

#include "levels/levels.h"

extern const struct level level_serializable, level_strong_session_serializable, level_strict_serializable;

#endif
