// A program that is compiled for x86-64-v3 would end by an illegal instruction on an older processor. It is asked before any
// of its other code runs, constructors of globals included, by code that is itself compiled for every x86-64, and is part of
// programs that are not compiled for the processor at hand (lib/CMakeLists.txt).

#ifdef PERP_PORTABLE

#include <unistd.h>

#include <cstring>

extern "C" {

void perp_refuse_older_processors(int, char** argv, char**) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2"))
    return;
  const char* const path = argv[0] ? argv[0] : "perp";
  const char* const slash = std::strrchr(path, '/');
  const char* const parts[] = {slash ? slash + 1 : path,
                               ": this processor lacks AVX2, FMA or BMI2, which the program was compiled for "
                               "(x86-64-v3); one compiled here runs: make programs in a checkout\n"};
  for (const char* part : parts)
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  _exit(1);
}

// The loader calls it after relocation and before the first constructor of any library; blas_room.cpp, which may come
// before it, does so, too.
[[gnu::used,
  gnu::section(".preinit_array")]] void (*perp_oldest_processor)(int, char**,
                                                                 char**) = perp_refuse_older_processors;
}

#endif
