// An order in which transactions probably ran. It breaks ties, and nothing follows from it.

#ifndef KRAIT_LEVELS_PROBABLE_ORDER_H
#define KRAIT_LEVELS_PROBABLE_ORDER_H

#include "ir/ir.h"

void probable_order (struct ir *);

#endif
