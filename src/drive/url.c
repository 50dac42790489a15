// Errors show the URL as url_shown has it, and never quote parts of it: what was taken for a port or a parameter may be half a password with a slash in it.

#include "drive/url.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ------------------------------------------------------------------------------------------------------------------- showing

static const char *authority_of (const char *url) {
  const char *found = strstr (url, "://");
  return found ? found + 3 : NULL;
}

// Behind the = of "password=", "passwd=" or whatever else begins so, with blanks before it or not, and be it %3d; NULL if this is not at `text`.
static const char *behind_password (const char *text) {
  if (strncasecmp (text, "pass", 4) && strncasecmp (text, "pwd", 3))
    return NULL;
  text += strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  text += strspn (text, " ");
  if (*text == '=')
    return text + 1;
  return strncasecmp (text, "%3d", 3) ? NULL : text + 3;
}

// Where a password behind the first colon ends. Too much is better than too little: a port that is no number may be a password without its @, and an @ may
// belong to a parameter.
static const char *end_of_secret (const char *colon, bool is_url) {
  const char *at = strrchr (colon, '@');
  if (!at) {
    const char *end = colon + strcspn (colon, "/?"), *digits_end = colon + 1 + strspn (colon + 1, "0123456789");
    return is_url && digits_end != end ? end : colon + 1;
  }
  for (const char *c = colon; c < at; c++)
    if (behind_password (c))
      return c + strlen (c);
  return at;
}

const char *url_shown (const char *url, char shown[URL_SHOWN]) {
  const char *authority = authority_of (url), *from = url;
  const char *colon = strchr (authority ? authority : url, ':'), *value;
  const char *end = !colon || (authority && *authority == '[') ? NULL : end_of_secret (colon, authority);
  size_t used = 0;
  while (*from && used + 8 < URL_SHOWN) {
    const bool is_secret = from == colon && end > colon + 1;
    value = is_secret ? colon + 1 : behind_password (from);
    const size_t length = value ? (size_t) (value - from) : 1;
    if (used + length + 4 >= URL_SHOWN)
      break;
    memcpy (shown + used, from, length);
    used += length;
    from += length;
    if (!value)
      continue;
    memcpy (shown + used, "***", 3);
    used += 3;
    from = is_secret ? end : from + strcspn (from, "&");
  }
  shown[used] = 0;
  return shown;
}

bool url_has_stray_at (const char *url) {
  const char *rest = authority_of (url);
  if (!rest)
    return false;
  rest += strcspn (rest, "@/");
  rest += *rest == '@';
  return memchr (rest, '@', strcspn (rest, "?")) != NULL;
}

// ------------------------------------------------------------------------------------------------------------------- reading

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

static int digit_of (char c) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *found = c ? strchr (digits, c) : NULL;
  return found ? (int) ((found - digits) % 16) : -1;
}

// In place. No text that goes to a server has a zero byte.
static bool decode (char *text) {
  char *to = text;
  for (const char *from = text; from && *from; to++) {
    if (*from != '%') {
      *to = *from++;
      continue;
    }
    const int high = digit_of (from[1]), low = high < 0 ? -1 : digit_of (from[2]);
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

static bool read_parameters (struct url *url, char *query) {
  for (char *parameter = query, *next; parameter && *parameter; parameter = next) {
    next = cut (strchr (parameter, '&'));
    char *value = cut (strchr (parameter, '='));
    if (value && !strcmp (parameter, "socket"))
      url->socket = or_null (value);
    else if (!value || strcmp (parameter, "connect_timeout") || !read_number (value, 86400, &url->connect_timeout))
      return false;
  }
  return true;
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
    return refuse (text, "its parameters are ?socket=PATH and ?connect_timeout=SECONDS, with & between them", error);
  url->database = or_null (database);
  if (!decode (url->user) || !decode (url->password) || !decode (url->host) || !decode (url->database)
      || !decode (url->socket))
    return refuse (text, "two hexadecimal digits, not 00, are expected behind each %", error);
  // Client libraries look at the socket only if the host is this one; the others would be connected to over the network.
  if (url->socket && (url->port || (url->host && strcmp (url->host, "localhost"))))
    return refuse (text, "a host and ?socket= exclude each other", error);
  return url->database || refuse (text, "the name of a database is missing behind the host", error);
}

void url_free (struct url *url) {
  mem_free (url->text);
}
