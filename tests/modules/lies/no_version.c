/* expects: no module: it has no krait_module_abi */

int krait_module (void);

int krait_module (void) {
  return 0;
}
