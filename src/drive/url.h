// The parts of a URL, for a client library that wants them one by one; and what of a URL may be
// shown.

#ifndef KRAIT_DRIVE_URL_H
#define KRAIT_DRIVE_URL_H

#include "base/error.h"

enum tls_mode { TLS_AS_THE_LIBRARY, TLS_DISABLED, TLS_REQUIRED, TLS_VERIFY_IDENTITY };

// SCHEME://[USER[:PASSWORD]@][HOST[:PORT]]/DATABASE[?PARAMETER=VALUE&…]
struct url {
  char *user, *password, *host, *database, *socket; // decoded; NULL: not there
  char *tls_ca, *tls_capath, *tls_cert, *tls_key;   // paths; the same
  enum tls_mode tls;
  unsigned port, connect_timeout; // 0: not there
  char *text;                     // what the others point into
};

// False after setting the error; to be freed in both cases.
bool url_read (struct url *, const char *text, struct error *);
void url_free (struct url *);

// Whether there is an @ behind what libpq takes for the password, the first @ or / at its end: it
// would quote the rest of the password as the name of a host.
bool url_has_stray_at (const char *url);

enum { URL_SHOWN = 208 };
// A URL as messages may have it: cut to this size, with *** for what is, or could be, a password.
// For texts, too, that are no proper URLs: those end up in messages.
const char *url_shown (const char *url, char shown[URL_SHOWN]);

// The same for a message that others have made, in place: client libraries quote what they take for
// a port or a host.
void url_hide (const char *url, char *text);
void secret_hide (const char *secret, char *text);

// Stars in place of the same, for the argument that `ps` shows.
void url_blot (char *url);

#endif
