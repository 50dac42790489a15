// Loading. A module is found by its path as given, never along a search path, and is bound at once,
// so that a symbol that it lacks is an error here and not a crash later.

#include "modules/modules.h"

#include "krait/module.h"
#include "modules/host.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct module {
  char *name; // as it was given
  char *path;
  const char *argument; // in `path`
  void *handle;
  krait_module_function *run;
};

const char *module_name (const struct module *module) {
  return module->name;
}

void module_free (struct module *module) {
  if (!module)
    return;
  if (module->handle)
    dlclose (module->handle);
  MEM_FREE_ALL (module->name, module->path, module);
}

// What follows ".so:" is for the module. A path without a slash is one in the current folder, as
// for every other file.
static void split (struct module *module, const char *text) {
  const char *end = strstr (text, ".so:");
  const bool bare = !memchr (text, '/', end ? (size_t) (end - text) : strlen (text));
  module->name = mem_strdup (text);
  module->path = mem_alloc (strlen (text) + 3);
  memcpy (module->path, "./", 2);
  strcpy (module->path + (bare ? 2 : 0), text);
  char *colon = strstr (module->path, ".so:");
  module->argument = module->path + strlen (module->path);
  if (colon) {
    colon[3] = 0;
    module->argument = colon + 4;
  }
}

// A module that ends the process would do so with a code of its own choice, which could be that of
// a verdict. Inside of one, that is an error of the module.
static _Atomic (const char *) inside;

static void refuse_to_end (void) {
  const char *name = atomic_load (&inside);
  if (!name)
    return;
  fprintf (stderr, "krait: %.300s: called exit instead of returning\n", name);
  _exit (ERROR_INPUT);
}

static void enter (const char *name) {
  static atomic_flag prepared = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set (&prepared)) {
    atexit (refuse_to_end);
    at_quick_exit (refuse_to_end);
  }
  atomic_store (&inside, name);
}

static void come_back (void) {
  atomic_store (&inside, NULL);
}

static bool bind (struct module *module, struct error *error) {
  enter (module->name);
  module->handle = dlopen (module->path, RTLD_NOW | RTLD_LOCAL);
  come_back ();
  if (!module->handle)
    return error_set (error, "%.300s: cannot be loaded: %.300s", module->name, dlerror ());
  const int *abi = dlsym (module->handle, "krait_module_abi");
  if (!abi)
    return error_set (error, "%.300s: no module: it has no krait_module_abi", module->name);
  if (*abi != KRAIT_MODULE_ABI)
    return error_set (error, "%.300s: made for modules of version %d, this is version %d", module->name, *abi,
                      KRAIT_MODULE_ABI);
  void *run = dlsym (module->handle, "krait_module");
  if (!run)
    return error_set (error, "%.300s: no module: it has no function krait_module", module->name);
  memcpy (&module->run, &run, sizeof run); // ISO C has no cast from one to the other
  return true;
}

struct module *module_load (const char *text, struct error *error) {
  struct module *module = mem_zalloc (sizeof *module);
  split (module, text);
  if (bind (module, error))
    return module;
  module_free (module);
  return NULL;
}

struct module *module_of (const char *name, const char *argument, krait_module_function *run) {
  struct module *module = mem_zalloc (sizeof *module);
  module->name = mem_strdup (name);
  module->path = mem_strdup (argument);
  module->argument = module->path;
  module->run = run;
  return module;
}

bool module_run (const struct module *module, const struct asg *asg, int64_t clock_skew,
                 struct constraints *constraints, struct error *error) {
  const uint32_t number = (uint32_t) constraints->modules.count;
  VEC_PUSH (constraints->modules, module->name);
  enter (module->name);
  const bool done = host_run (module->run, module->argument, clock_skew, asg, constraints, number, error);
  come_back ();
  return done;
}
