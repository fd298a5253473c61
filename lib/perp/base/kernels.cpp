#include "perp/base/kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "perp/base/error.hpp"

namespace perp {
namespace {

/// Processors that alone run a core type, whatever instruction sets others have.
enum class Only {
  any,
  amd,      ///< its instructions are AMD's alone (SSE4a), or it was made for AMD's
  fma4,     ///< FMA4 and XOP, which AMD's had from 2011 to 2016 and no processor since
  xeon_phi  ///< AVX-512 ER and PF, which Processor does not know
};

/// A core type on x86-64 and what its kernels need.
struct CoreType {
  std::string_view name;
  Instructions needs;
  Only only = Only::any;
  bool bfloat16 = false;
};

/// What the table takes for an instruction set; empty where it has nothing better than any library's own
/// pick.
struct Best {
  Instructions has;
  std::string_view core, on_amd;
};

// ---- OpenBLAS (its dynamic.c)

constexpr std::array openblas_cores = {
    CoreType{"Prescott", Instructions::baseline},
    CoreType{"Atom", Instructions::ssse3},
    CoreType{"Core2", Instructions::ssse3},
    CoreType{"Penryn", Instructions::ssse3},
    CoreType{"Dunnington", Instructions::ssse3},
    CoreType{"Nano", Instructions::ssse3},
    CoreType{"Opteron", Instructions::baseline, Only::amd},
    CoreType{"Opteron_SSE3", Instructions::baseline, Only::amd},
    CoreType{"Barcelona", Instructions::baseline, Only::amd},
    CoreType{"Bobcat", Instructions::ssse3, Only::amd},
    CoreType{"Nehalem", Instructions::sse42},
    CoreType{"Sandybridge", Instructions::avx},
    CoreType{"Bulldozer", Instructions::avx, Only::fma4},
    CoreType{"Piledriver", Instructions::avx, Only::fma4},
    CoreType{"Steamroller", Instructions::avx, Only::fma4},
    CoreType{"Excavator", Instructions::avx2, Only::fma4},
    CoreType{"Haswell", Instructions::avx2},
    CoreType{"Zen", Instructions::avx2},
    CoreType{"SkylakeX", Instructions::avx512},
    CoreType{"Cooperlake", Instructions::avx512, Only::any, true},
    CoreType{"SapphireRapids", Instructions::avx512, Only::any, true},
};

constexpr std::array openblas_table = {
    Best{Instructions::avx512, "SkylakeX", "SkylakeX"},
    Best{Instructions::avx2, "Haswell", "Zen"},
    Best{Instructions::avx, "Sandybridge", "Sandybridge"},
    Best{Instructions::sse42, "Nehalem", "Nehalem"},
};
/// Versions of which every core type of the table was held against references in every operation that is used
/// here (make blas-check). Wrong kernels exist: OpenBLAS 0.3.20 had some for Cooperlake.
constexpr std::array<std::string_view, 2> openblas_checked = {"0.3.21", "0.3.29"};

// ---- BLIS (its bli_cpuid.c), whose kernel sets are called configurations

constexpr std::array blis_cores = {
    CoreType{"generic", Instructions::baseline},
    CoreType{"penryn", Instructions::ssse3},
    CoreType{"sandybridge", Instructions::avx},
    CoreType{"bulldozer", Instructions::avx, Only::fma4},
    CoreType{"piledriver", Instructions::avx, Only::fma4},
    CoreType{"steamroller", Instructions::avx, Only::fma4},
    CoreType{"excavator", Instructions::avx2, Only::fma4},
    CoreType{"haswell", Instructions::avx2},
    CoreType{"zen", Instructions::avx2, Only::amd},
    CoreType{"zen2", Instructions::avx2, Only::amd},
    CoreType{"zen3", Instructions::avx2, Only::amd},
    CoreType{"skx", Instructions::avx512},
    CoreType{"knl", Instructions::avx512, Only::xeon_phi},
    CoreType{"zen4", Instructions::avx512, Only::amd},
    CoreType{"zen5", Instructions::avx512, Only::amd},
};
// By itself it takes skx where the name of the processor is in a list of its own, and nothing but "generic"
// for an AMD of a family that it does not know.
constexpr std::array blis_table = {
    Best{Instructions::avx512, "skx", ""},
    Best{Instructions::avx2, "haswell", "zen"},
};
constexpr std::array<std::string_view, 1> blis_checked = {"0.9.0"};

/// A library that can be told a core type.
struct Library {
  std::string_view name;
  const char* variable;
  std::span<const CoreType> cores;
  std::span<const Best> table;  ///< from the most instructions down
  std::span<const std::string_view> checked;
};
constexpr std::array libraries = {
    Library{"OpenBLAS", "OPENBLAS_CORETYPE", openblas_cores, openblas_table, openblas_checked},
    Library{"BLIS", "BLIS_ARCH_TYPE", blis_cores, blis_table, blis_checked},
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

bool runs(const Processor& processor, const CoreType& core) {
  return processor.has >= core.needs &&
         (core.only == Only::any || (core.only == Only::amd && processor.amd) ||
          (core.only == Only::fma4 && processor.fma4)) &&
         (!core.bfloat16 || processor.bfloat16);
}

bool holds(const KernelOffer& offer, std::string_view core) {
  return !offer.has || offer.has(std::string(core));
}

/// The best core type above what was picked that both the library and the processor have; empty if there is
/// none, or if the pick is not known.
std::string_view better_core(const Library& library, const KernelOffer& offer, const Processor& processor) {
  const CoreType* picked = find_core(library, offer.picked);
  if (picked == nullptr) return "";
  // Cooperlake's and SapphireRapids' float32 products took 1.2 and 1.3 times SkylakeX's on a Xeon of 2023 and
  // were level with them on a Zen 4; nothing here is in bfloat16, which is what they add.
  const auto is_above = [&](Instructions has) {
    return picked->bfloat16 ? has >= picked->needs : has > picked->needs;
  };
  for (const Best& best : library.table) {
    if (processor.has < best.has || !is_above(best.has)) continue;
    const std::string_view core = processor.amd ? best.on_amd : best.core;
    if (!core.empty() && holds(offer, core)) return core;
  }
  return "";
}

KernelChoice best(const Library& library, const KernelOffer& offer, const Processor& processor) {
  const std::string_view core = better_core(library, offer, processor);
  if (core.empty()) return {"", "the library's own pick suits this processor"};
  if (std::ranges::find(library.checked, offer.version) == library.checked.end())
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
  require(own.empty() || same_core(own, offer.value ? offer.value(name) : name),
          "PERP_KERNELS={} and {}={}: expected one of them", wish, library.variable, own);
  require(runs(processor, *core), "PERP_KERNELS={}: this processor cannot run these kernels", wish);
  require(holds(offer, name), "PERP_KERNELS={}: this build of {} {} does not hold these kernels", wish,
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
  const std::array<std::pair<Instructions, bool>, 5> sets = {{
      {Instructions::ssse3, __builtin_cpu_supports("ssse3") != 0},
      {Instructions::sse42, __builtin_cpu_supports("sse4.2") != 0},
      {Instructions::avx, __builtin_cpu_supports("avx") != 0},
      {Instructions::avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")},
      {Instructions::avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                                 __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                                 __builtin_cpu_supports("avx512vl")},
  }};
  for (const auto& [instructions, there] : sets) {
    if (!there) break;
    processor.has = instructions;
  }
  processor.amd = __builtin_cpu_is("amd") != 0;
  processor.fma4 = __builtin_cpu_supports("fma4") != 0;
  processor.bfloat16 = __builtin_cpu_supports("avx512bf16") != 0;
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
  const Instructions least = std::min(processor.has, Instructions::avx2);
  for (const CoreType& core : library->cores)
    if (core.needs >= least && runs(processor, core) && holds(offer, core.name))
      names.emplace_back(core.name);
  return names;
}

}  // namespace perp
