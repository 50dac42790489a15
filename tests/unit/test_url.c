// URLs of databases: their parts, what is refused, and that no message has a password.

#include "drive/url.h"
#include "greatest_main.h"

#include <string.h>

static struct url url;
static struct error error;

static bool reads (const char *text) {
  url_free (&url);
  error = (struct error){ 0 };
  return url_read (&url, text, &error);
}

static bool is (const char *found, const char *expected) {
  return expected ? found && !strcmp (found, expected) : !found;
}

static bool refuses (const char *text, const char *why) {
  const bool fine = !reads (text) && strstr (error.text, why);
  if (!fine)
    printf ("%s: %s\n", text, error.code ? error.text : "not refused");
  return fine;
}

TEST all_parts (void) {
  ASSERT (reads ("mariadb://me:secret@db.example:3307/test?connect_timeout=5"));
  ASSERT (is (url.user, "me") && is (url.password, "secret") && is (url.host, "db.example"));
  ASSERT (is (url.database, "test") && is (url.socket, NULL));
  ASSERT_EQ (3307, url.port);
  ASSERT_EQ (5, url.connect_timeout);
  PASS ();
}

TEST what_is_left_out_is_not_there (void) {
  ASSERT (reads ("mariadb:///test"));
  ASSERT (is (url.user, NULL) && is (url.password, NULL) && is (url.host, NULL) && is (url.database, "test"));
  ASSERT_EQ (0, url.port);
  ASSERT_EQ (0, url.connect_timeout);
  ASSERT (reads ("mysql://root@/test?socket=/run/my.sock"));
  ASSERT (is (url.user, "root") && is (url.password, NULL) && is (url.host, NULL) && is (url.socket, "/run/my.sock"));
  PASS ();
}

TEST percent_encoding (void) {
  ASSERT (reads ("mariadb://m%65:a%3Ab%2fc%40d%25@h%2Dx/t%20t"));
  ASSERT (is (url.user, "me") && is (url.password, "a:b/c@d%") && is (url.host, "h-x") && is (url.database, "t t"));
  ASSERT (reads ("mariadb://root@/test?connect_timeout=3&socket=/tmp/a%26b"));
  ASSERT (is (url.socket, "/tmp/a&b"));
  ASSERT_EQ (3, url.connect_timeout);
  const char *const wrong[] = { "mariadb://h/%", "mariadb://h/%4", "mariadb://h/%4g", "mariadb://u:%00@h/t" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ASSERT (refuses (wrong[i], "hexadecimal"));
  PASS ();
}

TEST the_last_at_ends_the_password (void) {
  ASSERT (reads ("mariadb://me:p@ss:w@h:1/test"));
  ASSERT (is (url.user, "me") && is (url.password, "p@ss:w") && is (url.host, "h"));
  ASSERT_EQ (1, url.port);
  PASS ();
}

TEST addresses_in_brackets (void) {
  ASSERT (reads ("mariadb://[::1]:3307/test"));
  ASSERT (is (url.host, "::1"));
  ASSERT_EQ (3307, url.port);
  ASSERT (reads ("mariadb://me@[fe80::1%25eth0]/test"));
  ASSERT (is (url.host, "fe80::1%eth0"));
  ASSERT_EQ (0, url.port);
  ASSERT (refuses ("mariadb://[::1/test", "[IPv6]:PORT"));
  ASSERT (refuses ("mariadb://[::1]3307/test", "[IPv6]:PORT"));
  ASSERT (refuses ("mariadb://::1/test", "[IPv6]:PORT"));
  PASS ();
}

TEST ports (void) {
  ASSERT (reads ("mariadb://h:65535/test"));
  ASSERT_EQ (65535, url.port);
  const char *const wrong[] = {
    "", "0", "65536", "33o6", "3306 ", "+1", "-65535", " 1", "0x10", "1:2", "99999999999999999999"
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[64];
    snprintf (text, sizeof text, "mariadb://h:%s/test", wrong[i]);
    ASSERT (refuses (text, "1 to 65535"));
  }
  PASS ();
}

TEST parameters (void) {
  ASSERT (refuses ("mariadb://h/test?sock=/x", "parameters are"));
  ASSERT (refuses ("mariadb:///test?socket=/x&ssl=1", "parameters are"));
  ASSERT (refuses ("mariadb:///test?socket", "parameters are"));
  ASSERT (refuses ("mariadb:///test?connect_timeout=soon", "parameters are"));
  ASSERT (refuses ("mariadb://h/test?socket=/x", "exclude each other"));
  ASSERT (refuses ("mariadb://localhost:3306/test?socket=/x", "exclude each other"));
  ASSERT (reads ("mariadb://localhost/test?socket=/x"));
  PASS ();
}

TEST tls (void) {
  ASSERT (reads ("mariadb://h/t"));
  ASSERT_EQ (TLS_AS_THE_LIBRARY, url.tls);
  ASSERT (reads ("mariadb://h/t?ssl-mode=required"));
  ASSERT_EQ (TLS_REQUIRED, url.tls);
  ASSERT (reads ("mariadb://h/t?ssl_mode=disabled"));
  ASSERT_EQ (TLS_DISABLED, url.tls);
  ASSERT (reads ("mariadb://h/t?ssl_ca=/a%26b.pem"));
  ASSERT_EQ (TLS_VERIFY_IDENTITY, url.tls);
  ASSERT (is (url.tls_ca, "/a&b.pem") && is (url.tls_cert, NULL));
  ASSERT (reads ("mariadb://h/t?ssl-cert=/c&ssl-key=/k"));
  ASSERT_EQ (TLS_REQUIRED, url.tls);
  ASSERT (is (url.tls_cert, "/c") && is (url.tls_key, "/k"));
  ASSERT (reads ("mariadb://h/t?ssl_capath=/d&ssl_mode=required"));
  ASSERT_EQ (TLS_REQUIRED, url.tls);
  ASSERT (refuses ("mariadb://h/t?ssl_mode=perhaps", "parameters are"));
  ASSERT (refuses ("mariadb://h/t?ssl_ca=%zz", "parameters are"));
  ASSERT (refuses ("mariadb://h/t?ssl_mode=disabled&ssl_ca=/a", "exclude each other"));
  PASS ();
}

// In messages of others, as it is or decoded, and in the argument.
TEST passwords_of_others (void) {
  char text[] = "no host \"sec%72et\", no port \"secret\": secretsecret";
  url_hide ("pg://me:sec%72et/t", text);
  ASSERT_STR_EQ ("no host \"***\", no port \"***\": ******", text);
  char other[] = "of pw, p and q";
  url_hide ("pg://h/t?password=pw&x=1&passwd=q", other);
  ASSERT_STR_EQ ("of **, p and *", other);
  secret_hide ("", other);
  ASSERT_STR_EQ ("of **, p and *", other);
  char argument[] = "pg://me:secret@h:1/t?password=secret&x=1";
  url_blot (argument);
  ASSERT_STR_EQ ("pg://me:******@h:1/t?password=******&x=1", argument);
  char plain[] = "pg://me@h:1/t?x=1";
  url_blot (plain);
  ASSERT_STR_EQ ("pg://me@h:1/t?x=1", plain);
  PASS ();
}

TEST databases (void) {
  ASSERT (refuses ("mariadb://h", "name of a database"));
  ASSERT (refuses ("mariadb://h/", "name of a database"));
  ASSERT (refuses ("mariadb://h/a/b", "%2F"));
  ASSERT (refuses ("mariadb:test", "expected ://"));
  PASS ();
}

// Whatever is wrong with it: the password is not told.
TEST refusals_have_no_password (void) {
  const char *const wrong[] = {
    "mariadb:me:secret@h/t",           "mariadb://me:secret@h",         "mariadb://me:secret@h:x/t",
    "mariadb://me:secret/x@h/t",       "mariadb://me:x/secret@h/t",     "mariadb://me:x?secret@h/t",
    "mariadb://me:x@secret@h/t?sock=", "mariadb://me:secret%@h/t",      "mariadb://me:secret/t",
    "mariadb://me:secret@h/t?a=b@c",   "mariadb://me:x#secret@h/t?a=b", "mariadb:me:secret/t",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ASSERT (refuses (wrong[i], "--db=mariadb:"));
    ASSERT_EQ (NULL, strstr (error.text, "secret"));
  }
  PASS ();
}

TEST what_is_shown (void) {
  static const char *const pairs[][2] = {
    { "oracle:x", "oracle:x" },
    { "mariadb://h:3306/t", "mariadb://h:3306/t" },
    { "mariadb://[::1]:3306/t", "mariadb://[::1]:3306/t" },
    { "mariadb://me@h/t", "mariadb://me@h/t" },
    { "mariadb://me:secret@h:1/t", "mariadb://me:***@h:1/t" },
    { "mariadb://me:@h/t", "mariadb://me:@h/t" },
    { "mariadb://h:/t", "mariadb://h:/t" },
    { "mariadb://h:33o6/t", "mariadb://h:***/t" },
    { "mariadb://me:65535", "mariadb://me:65535" },
    { "mariadb://me:65536", "mariadb://me:***" },
    { "mariadb://me:secret", "mariadb://me:***" },
    { "mariadb:me:secret/t", "mariadb:me:***" },
    { "maria://me:a@b/c@h/t?x", "maria://me:***@h/t?x" },
    { "me:secret@h/t", "me:***@h/t" },
    { "pg://me@h/t?password=secret&x=1", "pg://me@h/t?password=***&x=1" },
    { "pg://h:1/t?sslPassword=a@secret", "pg://h:***" },
    { "host=h password = 'my secret' x=y", "host=h password =***" },
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char shown[URL_SHOWN];
    ASSERT_STR_EQ (pairs[i][1], url_shown (pairs[i][0], shown));
  }
  PASS ();
}

TEST long_ones_are_cut (void) {
  char shown[URL_SHOWN], text[600];
  for (size_t length = 0; length < sizeof text - 32; length++) {
    memset (text, 'x', sizeof text);
    strcpy (text + length, ":secret@h?password=secret");
    ASSERT_EQ (NULL, strstr (url_shown (text, shown), "secret"));
    ASSERT (strlen (shown) < URL_SHOWN);
  }
  PASS ();
}

TEST stray_ats (void) {
  ASSERT_FALSE (url_has_stray_at ("postgresql://me:secret@h1,h2/t?host=/a@b"));
  ASSERT_FALSE (url_has_stray_at ("postgresql:///t"));
  ASSERT_FALSE (url_has_stray_at ("postgresql:t@h"));
  ASSERT (url_has_stray_at ("postgresql://me:sec@ret@h/t"));
  ASSERT (url_has_stray_at ("postgresql://me:sec/ret@h/t"));
  ASSERT (url_has_stray_at ("postgresql://me:a?sec@ret@h/t"));
  PASS ();
}

SUITE (urls) {
  RUN_TEST (all_parts);
  RUN_TEST (what_is_left_out_is_not_there);
  RUN_TEST (percent_encoding);
  RUN_TEST (the_last_at_ends_the_password);
  RUN_TEST (addresses_in_brackets);
  RUN_TEST (ports);
  RUN_TEST (parameters);
  RUN_TEST (tls);
  RUN_TEST (passwords_of_others);
  RUN_TEST (databases);
  RUN_TEST (refusals_have_no_password);
  RUN_TEST (what_is_shown);
  RUN_TEST (long_ones_are_cut);
  RUN_TEST (stray_ats);
  url_free (&url);
}

KRAIT_UNIT_MAIN (RUN_SUITE (urls);)
