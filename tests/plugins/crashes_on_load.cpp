// Crashes while it is loaded.
__attribute__((constructor)) static void crash() { __builtin_trap(); }
