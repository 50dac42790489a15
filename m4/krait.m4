# Checks that configure.ac uses more than once, and the long one for CaDiCaL.

# KRAIT_ADD_FLAGS(LANGUAGE, FLAGS_VARIABLE, OUTPUT, FLAGS)
# Those of FLAGS that the compiler understands.
AC_DEFUN([KRAIT_ADD_FLAGS], [
  AC_LANG_PUSH([$1])
  $3=
  krait_saved_flags=$[]$2
  for krait_flag in m4_normalize([$4]); do
    AC_MSG_CHECKING([whether the $1 compiler takes $krait_flag])
    $2="$krait_saved_flags -Werror $krait_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
      [AC_MSG_RESULT([yes])
       $3="${$3:+$$3 }$krait_flag"],
      [AC_MSG_RESULT([no])])
  done
  $2=$krait_saved_flags
  AC_LANG_POP([$1])
])

# KRAIT_ADD_LINKER_FLAGS(OUTPUT, FLAGS)
# Those of FLAGS with which a program can be linked.
AC_DEFUN([KRAIT_ADD_LINKER_FLAGS], [
  krait_saved_ldflags=$LDFLAGS
  for krait_flag in m4_normalize([$2]); do
    AC_MSG_CHECKING([whether the linker takes $krait_flag])
    LDFLAGS="$krait_saved_ldflags $krait_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()],
      [AC_MSG_RESULT([yes])
       $1="${$1:+$$1 }$krait_flag"],
      [AC_MSG_RESULT([no])])
  done
  LDFLAGS=$krait_saved_ldflags
])

# KRAIT_FORTIFY(OUTPUT)
# The highest level of _FORTIFY_SOURCE of which compiler and C library do not
# complain; none without optimization, or if the user has named one.
AC_DEFUN([KRAIT_FORTIFY], [
  AC_MSG_CHECKING([for the level of _FORTIFY_SOURCE])
  krait_fortify=none
  krait_saved_cflags=$CFLAGS
  AS_CASE(["$CC $CPPFLAGS $CFLAGS"],
    [*_FORTIFY_SOURCE*], [krait_fortify=given],
    [for krait_level in 2 3; do
       CFLAGS="$krait_saved_cflags -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$krait_level"
       AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]])], [krait_fortify=$krait_level])
     done
     CFLAGS=$krait_saved_cflags
     AS_IF([test $krait_fortify != none],
       [$1="${$1:+$$1 }-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$krait_fortify"])])
  AC_MSG_RESULT([$krait_fortify])
])

# KRAIT_PIE
# Position independent programs, where the compiler does not make them by itself
# and CaDiCaL's archive can go into one.
AC_DEFUN([KRAIT_PIE], [
  AC_MSG_CHECKING([how to link a position independent program])
  AC_LANG_PUSH([C++])
  krait_saved_cppflags=$CPPFLAGS
  krait_saved_cxxflags=$CXXFLAGS
  krait_saved_ldflags=$LDFLAGS
  krait_saved_libs=$LIBS
  CPPFLAGS="$CPPFLAGS -I$srcdir $CADICAL_CPPFLAGS"
  LIBS="$CADICAL_LIBS $LIBS"
  krait_pie=no
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#ifndef __PIE__
#error
#endif
    ]])],
    [krait_pie="as it is"],
    [CXXFLAGS="$CXXFLAGS -fPIE"
     LDFLAGS="$LDFLAGS -pie"
     AC_LINK_IFELSE([AC_LANG_SOURCE([[#include "m4/cadical_probe.cc"]])],
       [krait_pie=-pie
        KRAIT_CFLAGS="$KRAIT_CFLAGS -fPIE"
        KRAIT_CXXFLAGS="$KRAIT_CXXFLAGS -fPIE"
        KRAIT_PROGRAM_LDFLAGS=-pie])])
  CPPFLAGS=$krait_saved_cppflags
  CXXFLAGS=$krait_saved_cxxflags
  LDFLAGS=$krait_saved_ldflags
  LIBS=$krait_saved_libs
  AC_LANG_POP([C++])
  AC_MSG_RESULT([$krait_pie])
])

# KRAIT_LIBRARY(VARIABLE, PKG_CONFIG_MODULE, LIBRARY, FUNCTION, PACKAGE)
# By pkg-config, or by linking when pkg-config does not know it.
AC_DEFUN([KRAIT_LIBRARY], [
  PKG_CHECK_MODULES([$1], [$2], [], [
    krait_saved_libs=$LIBS
    AC_CHECK_LIB([$3], [$4], [$1_LIBS=-l$3],
      [AC_MSG_ERROR([$2 is missing (Debian and Ubuntu: $5)])])
    LIBS=$krait_saved_libs
  ])
])

# KRAIT_DRIVER(VARIABLE, NAME, PKG_CONFIG_MODULE, PACKAGE)
# A database client that `krait run` can do without: used if it is there, unless
# --without-NAME; --with-NAME insists. Sets with_NAME to yes or no.
AC_DEFUN([KRAIT_DRIVER], [
  AC_ARG_WITH([$2],
    [AS_HELP_STRING([--without-$2], [no driver for it in krait run (default: if $3 is there)])],
    [], [with_$2=check])
  AS_IF([test "x$with_$2" != xno],
    [PKG_CHECK_MODULES([$1], [$3],
      [with_$2=yes
       AC_DEFINE([HAVE_$1], [1], [krait run has a driver for $2])],
      [AS_IF([test "x$with_$2" != xcheck], [AC_MSG_ERROR([$3 is missing (Debian and Ubuntu: $4)])])
       with_$2=no])])
  AM_CONDITIONAL([HAVE_$1], [test "x$with_$2" = xyes])
])

# KRAIT_CADICAL_SHAPE(WHAT, MACRO, BODY)
# Defines MACRO if a class that derives from the propagator may contain BODY.
AC_DEFUN([KRAIT_CADICAL_SHAPE], [
  AC_MSG_CHECKING([whether CaDiCaL has $1])
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include <cadical.hpp>
#include <vector>
struct Shape : CaDiCaL::ExternalPropagator {
  $3
};
    ]])],
    [AC_MSG_RESULT([yes])
     AC_DEFINE([$2], [1], [CaDiCaL has $1])],
    [AC_MSG_RESULT([no])])
])

# KRAIT_CADICAL
# Sets CADICAL_CPPFLAGS and CADICAL_LIBS. Version numbers prove nothing here:
# an old system header can hide a newer library, so the propagator is linked
# and run through with the flags of the build.
AC_DEFUN([KRAIT_CADICAL], [
  AC_ARG_WITH([cadical],
    [AS_HELP_STRING([--with-cadical=DIR],
      [CaDiCaL with the external propagator (1.7 or later): a prefix, or a built source tree])],
    [], [with_cadical=yes])
  CADICAL_CPPFLAGS=
  CADICAL_LIBS=-lcadical
  AS_CASE([$with_cadical],
    [no], [AC_MSG_ERROR([Krait does not work without CaDiCaL])],
    [yes|/usr], [],
    [AS_IF([test -f "$with_cadical/src/cadical.hpp" && test -f "$with_cadical/build/libcadical.a"],
        [CADICAL_CPPFLAGS="-isystem $with_cadical/src"
         CADICAL_LIBS="-L$with_cadical/build -lcadical"],
      [test -f "$with_cadical/include/cadical.hpp"],
        [CADICAL_CPPFLAGS="-isystem $with_cadical/include"
         CADICAL_LIBS="-L$with_cadical/lib -lcadical"],
      [AC_MSG_ERROR([no CaDiCaL in $with_cadical: neither include/cadical.hpp nor src/cadical.hpp with build/libcadical.a])])])

  AC_LANG_PUSH([C++])
  krait_saved_cppflags=$CPPFLAGS
  krait_saved_cxxflags=$CXXFLAGS
  krait_saved_ldflags=$LDFLAGS
  krait_saved_libs=$LIBS
  CPPFLAGS="$CPPFLAGS -I$srcdir $CADICAL_CPPFLAGS"
  LIBS="$CADICAL_LIBS $LIBS"

  AC_MSG_CHECKING([for CaDiCaL with an external propagator])
  AC_LINK_IFELSE([AC_LANG_SOURCE([[#include "m4/cadical_probe.cc"]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([Krait needs CaDiCaL 1.7 or later (Debian 13, Ubuntu 24.04: libcadical-dev); elsewhere run ./bootstrap build, or give --with-cadical=DIR])])

  KRAIT_CADICAL_SHAPE([notify_assignment for a vector of literals],
    [KRAIT_CADICAL_NOTIFY_VECTOR],
    [void notify_assignment (const std::vector<int> &) override {}])
  KRAIT_CADICAL_SHAPE([cb_has_external_clause with a forgettable flag],
    [KRAIT_CADICAL_CLAUSE_FORGETTABLE],
    [bool cb_has_external_clause (bool &) override { return false; }])
  KRAIT_CADICAL_SHAPE([are_reasons_forgettable],
    [KRAIT_CADICAL_REASONS_FORGETTABLE],
    [Shape () { are_reasons_forgettable = false; }])

  # Distributions' archives are often not position independent: no shared
  # libkrait then, unless asked for.
  AC_MSG_CHECKING([whether CaDiCaL can go into a shared library])
  CXXFLAGS="$CXXFLAGS -fPIC"
  LDFLAGS="$LDFLAGS -shared"
  AC_LINK_IFELSE([AC_LANG_SOURCE([[#include "m4/cadical_probe.cc"]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     : ${enable_shared=no}])

  CPPFLAGS=$krait_saved_cppflags
  CXXFLAGS=$krait_saved_cxxflags
  LDFLAGS=$krait_saved_ldflags
  LIBS=$krait_saved_libs
  AC_LANG_POP([C++])

  AC_SUBST([CADICAL_CPPFLAGS])
  AC_SUBST([CADICAL_LIBS])
  AC_SUBST([with_cadical])
])
