// Errors show the URL as url_shown has it, and never quote parts of it: what was taken for a port
// or a parameter may be half a password with a slash in it.

#include "drive/url.h"

#include "base/memory.h"
#include "formats/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ----------------------------------------------------------------------------------------- showing

static const char *authority_of (const char *url) {
  const char *found = strstr (url, "://");
  return found ? found + 3 : NULL;
}

// Behind the = of "password=", "passwd=" or whatever else begins so, with blanks before it or not,
// and be it %3d; NULL if this is not at `text`.
static const char *behind_password (const char *text) {
  if (strncasecmp (text, "pass", 4) && strncasecmp (text, "pwd", 3))
    return NULL;
  text += strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  text += strspn (text, " ");
  if (*text == '=')
    return text + 1;
  return strncasecmp (text, "%3d", 3) ? NULL : text + 3;
}

// The text of a port, up to a / or ?, or none.
static bool is_port (const char *text) {
  const size_t digits = strspn (text, "0123456789");
  return strcspn (text, "/?") == digits && (!digits || (digits < 6 && strtoul (text, NULL, 10) <= 65535));
}

// Where a password behind the first colon ends. Too much is better than too little: a port that is
// no port may be a password without its @, and an @ may belong to a parameter.
static const char *end_of_secret (const char *colon, bool is_url) {
  const char *at = strrchr (colon, '@');
  if (!at)
    return !is_url ? colon + strlen (colon) : is_port (colon + 1) ? colon + 1 : colon + strcspn (colon, "/?");
  for (const char *c = colon; c < at; c++)
    if (behind_password (c))
      return c + strlen (c);
  return at;
}

// Behind this colon may be a password. In a text without :// the first one belongs to the scheme,
// unless an @ follows.
static const char *secret_colon (const char *url) {
  const char *authority = authority_of (url);
  const char *colon = authority && *authority == '[' ? NULL : strchr (authority ? authority : url, ':');
  return !colon || authority || strchr (colon, '@') ? colon : strchr (colon + 1, ':');
}

// What is, or could be, a password: the next such part at `from` or behind it; its length is 0 if
// there is none.
struct secret {
  const char *begin;
  size_t length;
};

static struct secret next_secret (const char *url, const char *from) {
  const char *colon = secret_colon (url), *value;
  for (; *from; from++) {
    if (from == colon) {
      const char *end = end_of_secret (colon, authority_of (url) != NULL);
      if (end > colon + 1)
        return (struct secret){ colon + 1, (size_t) (end - colon - 1) };
    } else if ((value = behind_password (from)) && strcspn (value, "&"))
      return (struct secret){ value, strcspn (value, "&") };
  }
  return (struct secret){ from, 0 };
}

const char *url_shown (const char *url, char shown[URL_SHOWN]) {
  size_t used = 0;
  for (const char *from = url; *from;) {
    const struct secret secret = next_secret (url, from);
    const size_t plain = (size_t) (secret.begin - from), room = URL_SHOWN - used - 4;
    memcpy (shown + used, from, plain < room ? plain : room);
    used += plain < room ? plain : room;
    if (plain > room)
      break;
    if (secret.length) {
      memcpy (shown + used, "***", 3);
      used += 3;
    }
    if (used + 4 >= URL_SHOWN)
      break;
    from = secret.begin + secret.length;
  }
  shown[used] = 0;
  return shown;
}

void url_blot (char *url) {
  struct secret secret = { url, 0 };
  // Found out before anything is changed: stars are no port.
  char *copy = mem_strdup (url);
  while ((secret = next_secret (copy, copy + (secret.begin - url))).length) {
    memset (url + (secret.begin - copy), '*', secret.length);
    secret.begin = url + (secret.begin - copy) + secret.length;
  }
  mem_free (copy);
}

// Stars for each place at which the text has the secret. Never longer than it was: those who call
// have no more room.
void secret_hide (const char *secret, char *text) {
  const size_t length = strlen (secret);
  for (char *at = text; length && (at = strstr (at, secret)) != NULL;) {
    const size_t stars = length < 3 ? length : 3;
    memset (at, '*', stars);
    memmove (at + stars, at + length, strlen (at + length) + 1);
    at += stars;
  }
}

static bool decode (char *text);

void url_hide (const char *url, char *text) {
  for (struct secret secret = next_secret (url, url); secret.length;
       secret = next_secret (url, secret.begin + secret.length)) {
    char *copy = mem_zalloc (secret.length + 1);
    memcpy (copy, secret.begin, secret.length);
    secret_hide (copy, text);
    if (decode (copy))
      secret_hide (copy, text);
    mem_free (copy);
  }
}

bool url_has_stray_at (const char *url) {
  const char *rest = authority_of (url);
  if (!rest)
    return false;
  rest += strcspn (rest, "@/");
  rest += *rest == '@';
  return memchr (rest, '@', strcspn (rest, "?")) != NULL;
}

// ----------------------------------------------------------------------------------------- reading

static bool refuse (const char *text, const char *why, struct error *error) {
  char shown[URL_SHOWN];
  return error_set (error, "--db=%s: %s", url_shown (text, shown), why);
}

// Cuts the text at the place, and returns what is behind it; NULL if there is no place.
static char *cut (char *place) {
  if (place)
    *place++ = 0;
  return place;
}

static char *or_null (char *text) {
  return text && *text ? text : NULL;
}

// In place. No text that goes to a server has a zero byte.
static bool decode (char *text) {
  char *to = text;
  for (const char *from = text; from && *from; to++) {
    if (*from != '%') {
      *to = *from++;
      continue;
    }
    const int high = hex_value (from[1]), low = high < 0 ? -1 : hex_value (from[2]);
    if (low < 0 || !(high | low))
      return false;
    *to = (char) (high << 4 | low);
    from += 3;
  }
  if (to)
    *to = 0;
  return true;
}

static bool read_number (const char *text, unsigned most, unsigned *number) {
  const size_t digits = strspn (text, "0123456789");
  const unsigned long value = strtoul (text, NULL, 10);
  *number = value <= most ? (unsigned) value : 0;
  return digits && !text[digits] && *number;
}

// [::1]:PORT, HOST:PORT, HOST
static bool read_host (struct url *url, char *host) {
  char *port = NULL;
  if (*host == '[') {
    char *behind = cut (strchr (++host, ']'));
    if (!behind || (*behind && *behind != ':'))
      return false;
    port = *behind ? behind + 1 : NULL;
  } else
    port = cut (strchr (host, ':'));
  url->host = or_null (host);
  return !port || read_number (port, 65535, &url->port);
}

// Names with - or _, as those of client libraries.
static bool is_named (const char *found, const char *name) {
  for (; *found && (*found == *name || (*found == '-' && *name == '_')); found++)
    name++;
  return !*found && !*name;
}

static bool read_tls_mode (struct url *url, const char *value) {
  static const char *const modes[] = {
    [TLS_DISABLED] = "disabled", [TLS_REQUIRED] = "required", [TLS_VERIFY_IDENTITY] = "verify_identity"
  };
  for (unsigned mode = TLS_DISABLED; mode <= TLS_VERIFY_IDENTITY; mode++)
    if (is_named (value, modes[mode]))
      url->tls = (enum tls_mode) mode;
  return url->tls != TLS_AS_THE_LIBRARY;
}

static bool read_parameter (struct url *url, const char *name, char *value) {
  const struct {
    const char *name;
    char **to;
  } texts[] = { { "socket", &url->socket },
                { "ssl_ca", &url->tls_ca },
                { "ssl_capath", &url->tls_capath },
                { "ssl_cert", &url->tls_cert },
                { "ssl_key", &url->tls_key } };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (is_named (name, texts[i].name)) {
      *texts[i].to = or_null (value);
      return decode (value);
    }
  if (is_named (name, "ssl_mode"))
    return read_tls_mode (url, value);
  return is_named (name, "connect_timeout") && read_number (value, 86400, &url->connect_timeout);
}

static bool read_parameters (struct url *url, char *query) {
  for (char *parameter = query, *next; parameter && *parameter; parameter = next) {
    next = cut (strchr (parameter, '&'));
    char *value = cut (strchr (parameter, '='));
    if (!value || !read_parameter (url, parameter, value))
      return false;
  }
  return true;
}

// Who names those whom he trusts wants to know whom he talks to; a certificate of one's own is
// shown over TLS only.
static bool settle_tls (struct url *url) {
  const bool trusts = url->tls_ca || url->tls_capath, shows = url->tls_cert || url->tls_key;
  if (url->tls == TLS_AS_THE_LIBRARY && (trusts || shows))
    url->tls = trusts ? TLS_VERIFY_IDENTITY : TLS_REQUIRED;
  return url->tls != TLS_DISABLED || !(trusts || shows);
}

bool url_read (struct url *url, const char *text, struct error *error) {
  *url = (struct url){ .text = mem_strdup (text) };
  char *at = strstr (url->text, "://");
  if (!at)
    return refuse (text, "expected ://USER@HOST/DATABASE behind the scheme", error);
  at += 3;
  char *query = cut (strchr (at, '?')), *database = cut (strchr (at, '/')), *host = cut (strrchr (at, '@'));
  if (database && strpbrk (database, "/@"))
    return refuse (text, "a / in a name or password is written %2F, an @ behind the host %40", error);
  if (host) {
    url->password = cut (strchr (at, ':'));
    url->user = or_null (at);
  }
  if (!read_host (url, host ? host : at))
    return refuse (text, "expected HOST, HOST:PORT or [IPv6]:PORT, with a port from 1 to 65535", error);
  if (!read_parameters (url, query))
    return refuse (
      text,
      "its parameters are socket=PATH, connect_timeout=SECONDS, ssl_mode=disabled|required|verify_identity, "
      "ssl_ca, ssl_capath, ssl_cert and ssl_key, each =PATH, behind a ? and with & between them",
      error);
  if (!settle_tls (url))
    return refuse (text, "ssl_mode=disabled and the other ssl parameters exclude each other", error);
  url->database = or_null (database);
  if (!decode (url->user) || !decode (url->password) || !decode (url->host) || !decode (url->database))
    return refuse (text, "two hexadecimal digits, not 00, are expected behind each %", error);
  // Client libraries look at the socket only if the host is this one; the others would be connected
  // to over the network.
  if (url->socket && (url->port || (url->host && strcmp (url->host, "localhost"))))
    return refuse (text, "a host and ?socket= exclude each other", error);
  return url->database || refuse (text, "the name of a database is missing behind the host", error);
}

void url_free (struct url *url) {
  mem_free (url->text);
}
