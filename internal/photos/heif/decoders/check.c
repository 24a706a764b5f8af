// Lets the program end a decoder that takes too long. The compiler calls the function below at the beginning of each
// function of the libraries that it does not inline.
//
// The runtime could check by itself at each iteration of each loop, but then a picture takes five times as long.

// check does not return if the decoder must end.
__attribute__((import_module("heif"), import_name("check"))) void check(void);

enum { CALLS = 1 << 16 }; // take about a millisecond

void __cyg_profile_func_enter_bare(void) {
  static unsigned calls;
  if (++calls % CALLS == 0) {
    check();
  }
}
