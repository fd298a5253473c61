#include "perp/base/kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <span>
#include <sstream>

#ifdef __aarch64__
#include <sys/auxv.h>
#endif

#include "perp/base/error.hpp"

namespace perp {
namespace {

enum class Suits { all, amd, others, arm };

/// A core type that is asked for where the processor has its instructions.
struct CoreType {
  std::string_view name;
  Instructions needs;
  Suits suits = Suits::all;
};

/// A library that can be told a core type.
struct Library {
  std::string_view name;
  const char* variable;
  std::span<const CoreType> cores;    ///< best first
  std::string_view older, with_avx2;  ///< what it may pick by itself, below AVX-512
  std::string_view
      checked;  ///< versions whose `cores` were held against references (make blas-check; NEOVERSEN1 by
                ///< tests/lib/base in an emulator)
};
constexpr std::array openblas_cores{
    CoreType{"SkylakeX", Instructions::avx512}, CoreType{"Zen", Instructions::avx2, Suits::amd},
    CoreType{"Haswell", Instructions::avx2}, CoreType{"NEOVERSEN1", Instructions::armv8_2, Suits::arm}};
constexpr std::array blis_cores{CoreType{"skx", Instructions::avx512, Suits::others},
                                CoreType{"zen", Instructions::avx2, Suits::amd},
                                CoreType{"haswell", Instructions::avx2}};
constexpr std::array libraries = {
    // Its dynamic.c and dynamic_arm64.c, which takes ARMV8 for an arm64 that it does not know. Wrong kernels exist: 0.3.20 had
    // some for Cooperlake. These and SapphireRapids' count as AVX2's: float32 products took 1.2 and 1.3 times SkylakeX's on a
    // Xeon of 2023, and nothing here is in bfloat16, which is what they add.
    Library{"OpenBLAS", "OPENBLAS_CORETYPE", openblas_cores,
            "ARMV8 Prescott Atom Core2 Penryn Dunnington Nano Opteron Opteron_SSE3 Barcelona Bobcat Nehalem "
            "Sandybridge Bulldozer Piledriver Steamroller",
            "Haswell Zen Excavator Cooperlake SapphireRapids", "0.3.21 0.3.29"},
    // Its bli_cpuid.c. It takes skx where the processor's name is in a list of its own, and "generic" for an
    // AMD of a family that it does not know.
    Library{"BLIS", "BLIS_ARCH_TYPE", blis_cores,
            "generic penryn sandybridge bulldozer piledriver steamroller", "haswell zen zen2 zen3 excavator",
            "0.9.0"},
};

const Library* find_library(std::string_view name) {
  const auto it = std::ranges::find(libraries, name, &Library::name);
  return it == libraries.end() ? nullptr : &*it;
}

const CoreType* find_core(const Library& library, std::string_view name) {
  const auto it = std::ranges::find_if(
      library.cores, [&](std::string_view core) { return same_core(core, name); }, &CoreType::name);
  return it == library.cores.end() ? nullptr : &*it;
}

bool is_among(const std::string& name, std::string_view names) {
  std::istringstream words{std::string(names)};
  return std::any_of(std::istream_iterator<std::string>(words), {},
                     [&](const std::string& word) { return same_core(word, name); });
}

bool suits(const Processor& processor, const CoreType& core) {
  if (core.suits == Suits::arm) return processor.has == core.needs;
  return processor.has >= core.needs &&
         (core.suits == Suits::all || processor.amd == (core.suits == Suits::amd));
}

/// The first core type that suits the processor, is held, and has more instructions than what was picked; empty if
/// there is none, or if the pick is not known.
std::string_view better_core(const Library& library, const KernelOffer& offer, const Processor& processor) {
  const bool older = is_among(offer.picked, library.older);
  if (!older && !is_among(offer.picked, library.with_avx2)) return "";
  const Instructions picked = older ? Instructions::older : Instructions::avx2;
  for (const CoreType& core : library.cores)
    if (core.needs > picked && suits(processor, core) && offer.has(std::string(core.name))) return core.name;
  return "";
}

KernelChoice best(const Library& library, const KernelOffer& offer, const Processor& processor) {
  const std::string_view core = better_core(library, offer, processor);
  if (core.empty()) return {"", "the library's own pick suits this processor"};
  if (!is_among(offer.version, library.checked))
    return {
        "",
        fmt::format("{} kernels of {} {} have not been held against references; PERP_KERNELS={} takes them",
                    core, library.name, offer.version, core),
        true};
  return {std::string(core), fmt::format("{} {} picks {} for a processor that runs {}", library.name,
                                         offer.version, offer.picked, core)};
}

std::string known_names(const Library& library) {
  std::string names;
  for (const CoreType& core : library.cores)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", core.name);
  return names;
}

KernelChoice named(const Library& library, const KernelOffer& offer, const Processor& processor,
                   std::string_view wish, std::string_view own) {
  const CoreType* core = find_core(library, wish);
  require(core != nullptr, "PERP_KERNELS={}: expected best, as-picked or one of {}", wish,
          known_names(library));
  const std::string name(core->name);
  require(own.empty() || same_core(own, offer.value(name)), "PERP_KERNELS={} and {}={}: expected one of them",
          wish, library.variable, own);
  require(suits(processor, *core), "PERP_KERNELS={}: these kernels do not suit this processor", wish);
  require(offer.has(name), "PERP_KERNELS={}: this build of {} {} does not hold these kernels", wish,
          library.name, offer.version);
  KernelOffer taken = offer;
  taken.picked = name;
  return {name, "PERP_KERNELS names it", !better_core(library, taken, processor).empty()};
}

}  // namespace

const char* core_variable(std::string_view library) {
  const Library* const found = find_library(library);
  return found ? found->variable : nullptr;
}

bool is_core(std::string_view name) {
  return std::ranges::any_of(libraries, [&](const Library& library) { return find_core(library, name); });
}

bool same_core(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Processor this_processor() {
  Processor processor;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
    processor.has = wide ? Instructions::avx512 : Instructions::avx2;
  }
  processor.amd = __builtin_cpu_is("amd") != 0;
#elif defined(__aarch64__)
  // OpenBLAS has these kernels compiled for Armv8.2: its atomics, its other additions, and one that it alone asks for.
  constexpr unsigned long all = HWCAP_ATOMICS | HWCAP_ASIMDRDM | HWCAP_DCPOP;
  if ((getauxval(AT_HWCAP) & all) == all) processor.has = Instructions::armv8_2;
#endif
  return processor;
}

KernelChoice choose_kernels(const KernelOffer& offer, const Processor& processor, std::string_view wish,
                            std::string_view own) {
  const Library* const library = find_library(offer.library);
  if (!wish.empty() && wish != "best" && wish != "as-picked") {
    require(library != nullptr && offer.dynamic,
            "PERP_KERNELS={}: {} {} was loaded, which has no choice of kernels; expected an OpenBLAS with "
            "DYNAMIC_ARCH or a BLIS",
            wish, offer.library, offer.version);
    return named(*library, offer, processor, wish, own);
  }
  if (library == nullptr) return {"", fmt::format("{} chooses by itself", offer.library)};
  if (!own.empty()) return {"", fmt::format("{}={} was set", library->variable, own)};
  if (!offer.dynamic) return {"", fmt::format("this {} was built for one core type", library->name)};
  if (wish == "as-picked")
    return {"", "PERP_KERNELS=as-picked", !better_core(*library, offer, processor).empty()};
  return best(*library, offer, processor);
}

std::vector<std::string> usable_cores(const KernelOffer& offer, const Processor& processor) {
  const Library* const library = find_library(offer.library);
  std::vector<std::string> names;
  if (library == nullptr || !offer.dynamic) return names;
  for (const CoreType& core : library->cores)
    if (suits(processor, core) && offer.has(std::string(core.name))) names.emplace_back(core.name);
  return names;
}

}  // namespace perp
