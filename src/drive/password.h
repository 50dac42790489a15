// A password that is not in the URL: arguments are seen by everybody who may list processes.

#ifndef KRAIT_DRIVE_PASSWORD_H
#define KRAIT_DRIVE_PASSWORD_H

#include "base/error.h"

enum { PASSWORD_SIZE = 1024 };
#define PASSWORD_VARIABLE "KRAIT_DB_PASSWORD"

// The first line of the file, or without one what the environment has; empty if neither is there.
// False after setting the error: a file that all can read holds no secret.
bool password_read (const char *file, char password[PASSWORD_SIZE], struct error *);

#endif
