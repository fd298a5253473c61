#include "perp/base/kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "perp/base/error.hpp"

namespace perp {
namespace {

/// A core type of OpenBLAS on x86-64 (its dynamic.c) and what its kernels need.
struct CoreType {
  std::string_view name;
  Instructions needs;
  bool amd_only =
      false;  ///< has instructions of AMD's alone (SSE4a, FMA4, XOP), which newer ones of AMD's lack
  bool bfloat16 = false;
};
constexpr std::array core_types = {
    CoreType{"Prescott", Instructions::baseline},
    CoreType{"Atom", Instructions::ssse3},
    CoreType{"Core2", Instructions::ssse3},
    CoreType{"Penryn", Instructions::ssse3},
    CoreType{"Dunnington", Instructions::ssse3},
    CoreType{"Nano", Instructions::ssse3},
    CoreType{"Opteron", Instructions::baseline, true},
    CoreType{"Opteron_SSE3", Instructions::baseline, true},
    CoreType{"Barcelona", Instructions::baseline, true},
    CoreType{"Bobcat", Instructions::ssse3, true},
    CoreType{"Nehalem", Instructions::sse42},
    CoreType{"Sandybridge", Instructions::avx},
    CoreType{"Bulldozer", Instructions::avx, true},
    CoreType{"Piledriver", Instructions::avx, true},
    CoreType{"Steamroller", Instructions::avx, true},
    CoreType{"Excavator", Instructions::avx2, true},
    CoreType{"Haswell", Instructions::avx2},
    CoreType{"Zen", Instructions::avx2},
    CoreType{"SkylakeX", Instructions::avx512},
    CoreType{"Cooperlake", Instructions::avx512, false, true},
    CoreType{"SapphireRapids", Instructions::avx512, false, true},
};

/// Versions of which the core types below (Nehalem to SkylakeX) were held against references in every
/// operation that is used here (make blas-check). Wrong kernels exist: OpenBLAS 0.3.20 had some for
/// Cooperlake.
constexpr std::array<std::string_view, 2> checked_versions = {"0.3.21", "0.3.29"};

const CoreType* find_core(std::string_view name) {
  const auto it = std::find_if(core_types.begin(), core_types.end(),
                               [&](const CoreType& core) { return same_core(core.name, name); });
  return it == core_types.end() ? nullptr : &*it;
}

bool runs(const Processor& processor, const CoreType& core) {
  return processor.has >= core.needs && (!core.amd_only || processor.amd) &&
         (!core.bfloat16 || processor.bfloat16);
}

/// What the table takes for an instruction set; empty where it has nothing better than any library's own
/// pick.
std::string_view core_for(Instructions has, bool amd) {
  switch (has) {
    case Instructions::avx512:
      return "SkylakeX";
    case Instructions::avx2:
      return amd ? "Zen" : "Haswell";
    case Instructions::avx:
      return "Sandybridge";
    case Instructions::sse42:
      return "Nehalem";
    case Instructions::ssse3:
    case Instructions::baseline:
      break;
  }
  return "";
}

bool holds(const KernelOffer& offer, std::string_view core) {
  return !offer.has || offer.has(std::string(core));
}

/// The best core type above what was picked that both the library and the processor have; empty if there is
/// none.
std::string_view better_core(const KernelOffer& offer, const Processor& processor) {
  const CoreType* picked = find_core(offer.picked);
  int uses = static_cast<int>(picked ? picked->needs : Instructions::baseline);
  // Cooperlake's and SapphireRapids' float32 products took 1.2 and 1.3 times SkylakeX's on a Xeon of 2023 and
  // were level with them on a Zen 4; nothing here is in bfloat16, which is what they add.
  if (picked && picked->bfloat16) --uses;
  for (int level = static_cast<int>(processor.has); level > uses; --level) {
    const std::string_view core = core_for(static_cast<Instructions>(level), processor.amd);
    if (!core.empty() && holds(offer, core)) return core;
  }
  return "";
}

bool is_checked(std::string_view version) {
  return std::find(checked_versions.begin(), checked_versions.end(), version) != checked_versions.end();
}

KernelChoice best(const KernelOffer& offer, const Processor& processor) {
  const std::string_view core = better_core(offer, processor);
  if (core.empty()) return {"", "the library's own pick suits this processor"};
  if (!is_checked(offer.version))
    return {"",
            fmt::format(
                "{} kernels of OpenBLAS {} have not been held against references; PERP_KERNELS={} takes them",
                core, offer.version, core),
            true};
  return {std::string(core), fmt::format("OpenBLAS {} picks {} for a processor that runs {}", offer.version,
                                         offer.picked, core)};
}

std::string known_names() {
  std::string names;
  for (const CoreType& core : core_types) names += fmt::format("{}{}", names.empty() ? "" : ", ", core.name);
  return names;
}

KernelChoice named(const KernelOffer& offer, const Processor& processor, std::string_view wish) {
  const CoreType* core = find_core(wish);
  require(core != nullptr, "PERP_KERNELS={}: expected best, as-picked or one of {}", wish, known_names());
  require(offer.library == "OpenBLAS" && offer.dynamic,
          "PERP_KERNELS={}: {} {} was loaded, which has no choice of kernels; expected an OpenBLAS with "
          "DYNAMIC_ARCH",
          wish, offer.library, offer.version);
  require(runs(processor, *core), "PERP_KERNELS={}: this processor cannot run these kernels", wish);
  require(holds(offer, core->name), "PERP_KERNELS={}: this build of OpenBLAS {} does not hold these kernels",
          wish, offer.version);
  return {std::string(core->name), "PERP_KERNELS names it",
          !better_core({offer.library, offer.version, std::string(core->name), true, offer.has}, processor)
               .empty()};
}

}  // namespace

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
  processor.bfloat16 = __builtin_cpu_supports("avx512bf16") != 0;
#endif
  return processor;
}

KernelChoice choose_kernels(const KernelOffer& offer, const Processor& processor, std::string_view wish,
                            std::string_view own) {
  const bool any = wish.empty() || wish == "best" || wish == "as-picked";
  if (!any) {
    require(own.empty() || same_core(own, wish),
            "PERP_KERNELS={} and OPENBLAS_CORETYPE={}: expected one of them", wish, own);
    return named(offer, processor, wish);
  }
  if (offer.library != "OpenBLAS") return {"", fmt::format("{} chooses by itself", offer.library)};
  if (!own.empty()) return {"", fmt::format("OPENBLAS_CORETYPE={} was set", own)};
  if (!offer.dynamic) return {"", "this OpenBLAS was built for one core type"};
  if (wish == "as-picked") return {"", "PERP_KERNELS=as-picked", !better_core(offer, processor).empty()};
  return best(offer, processor);
}

}  // namespace perp
