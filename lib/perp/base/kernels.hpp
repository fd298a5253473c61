#pragma once
// Which of a BLAS's kernels a program runs: a rule over what the processor can do, never a timing, so that one
// machine gives one set of bytes. Libraries go by the processor's name, and take slow kernels for one that they
// do not know.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

enum class Instructions {
  older,
  armv8_2,  ///< of arm64: Armv8.2-A; below, of x86-64:
  avx2,     ///< AVX2 and FMA
  avx512    ///< AVX-512 F, CD, BW, DQ and VL, on top
};

struct Processor {
  Instructions has = Instructions::older;  ///< as far as the operating system saves the registers, too
  bool amd = false;
};
Processor this_processor();

/// What a loaded library says of its kernels.
struct KernelOffer {
  std::string library;   ///< "OpenBLAS" or "BLIS"; others are left alone
  std::string version;   ///< "0.3.21"
  std::string picked;    ///< core type that the library picks by itself
  bool dynamic = false;  ///< may hold kernels for several core types and can be told which
  std::function<bool(const std::string&)> has;  ///< whether this build holds a core type
  std::function<std::string(const std::string&)>
      value;  ///< what core_variable says for a core type, empty if nothing
};

/// The variable of the environment by which a library is told a core type; null if it is left alone.
const char* core_variable(std::string_view library);

struct KernelChoice {
  std::string core;     ///< core type to ask the library for; empty: what it picks by itself
  std::string why;      ///< one line, without a full stop
  bool slower = false;  ///< the processor could run faster kernels than these
};

/// The core type for this library on this processor.
///   wish  PERP_KERNELS: "best" (or empty), "as-picked", or the name of a core type
///   own   core_variable as the user set it, or empty; it stands
/// Throws Error{Exit::unusable} for a wish that names no core type, one that the library does not hold, one
/// that does not suit this processor (it may die of an illegal instruction), or another one than `own`.
KernelChoice choose_kernels(const KernelOffer& offer, const Processor& processor, std::string_view wish,
                            std::string_view own);

/// The core types of the rule that the library holds and that suit the processor. Empty for a library that cannot
/// be told.
std::vector<std::string> usable_cores(const KernelOffer& offer, const Processor& processor);

/// Whether the rule has a core type of that name.
bool is_core(std::string_view name);

/// Core types are compared as OpenBLAS does it: capital or not is the same.
bool same_core(std::string_view a, std::string_view b);

}  // namespace perp
