// The table of kernels, on processors and libraries made up for it.

#include "perp/base/kernels.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "perp/base/error.hpp"

using namespace perp;

namespace {

KernelOffer openblas(const std::string& picked, const std::string& version = "0.3.21") {
  return {"OpenBLAS", version, picked, true, {}, {}};
}
KernelOffer blis(const std::string& picked, const std::string& version = "0.9.0") {
  const auto value = [](const std::string& core) {
    return core == "skx" ? "0" : core == "haswell" ? "3" : "";
  };
  return {"BLIS", version, picked, true, {}, value};
}
KernelOffer other(const std::string& library) {
  KernelOffer offer = openblas("zen3");
  offer.library = library;
  return offer;
}
KernelOffer without(KernelOffer offer, const std::string& missing) {
  offer.has = [=](const std::string& core) { return missing.find(core + ' ') == missing.npos; };
  return offer;
}
KernelOffer fixed(KernelOffer offer) {
  offer.dynamic = false;
  return offer;
}

constexpr Processor xeon{Instructions::avx512, false}, zen4{Instructions::avx512, true},
    zen2{Instructions::avx2, true}, haswell{Instructions::avx2, false}, sandy{},
    graviton{Instructions::armv8_2, false};
const char* const refused = nullptr;

struct Case {
  KernelOffer offer;
  Processor processor;
  const char *wish, *own;
  const char* core;
  const char* also = "";  ///< what else a library may have picked, with the same end
};

const std::vector<Case> cases{
    // An unknown processor gets what it can run.
    {openblas("Prescott"), xeon, "best", "", "SkylakeX", "Barcelona Sandybridge Haswell"},
    {openblas("Prescott"), haswell, "best", "", "Haswell", "Nehalem"},
    {openblas("Prescott"), zen2, "best", "", "Zen", "Bulldozer"},
    {openblas("Prescott"), sandy, "best", "", ""},
    // A pick that is not below stays, and one that the rule does not know.
    {openblas("SkylakeX"), xeon, "best", "", "", "Zen9"},
    {openblas("Zen"), zen2, "best", "", "", "Haswell Excavator"},
    {openblas("Haswell"), zen4, "best", "", "SkylakeX", "Zen"},
    // An arm64 has kernels of its own, and the others have not.
    {openblas("ARMV8"), graviton, "best", "", "NEOVERSEN1"},
    {openblas("ARMV8"), sandy, "best", "", ""},
    {openblas("NEOVERSEN1"), graviton, "best", "", "", "NEOVERSEV1 THUNDERX2T99"},
    {without(openblas("ARMV8"), "NEOVERSEN1 "), graviton, "best", "", ""},
    {openblas("ARMV8"), graviton, "Haswell", "", refused},
    {openblas("ARMV8"), sandy, "NEOVERSEN1", "", refused},
    {without(openblas("Prescott"), "SkylakeX Haswell "), xeon, "NEOVERSEN1", "", refused},
    {blis("generic"), graviton, "best", "", ""},
    // BLIS has another list, without AVX-512 for AMD's, and is told by number.
    {blis("generic"), xeon, "best", "", "skx", "penryn sandybridge haswell"},
    {blis("generic"), haswell, "best", "", "haswell", "penryn sandybridge"},
    {blis("generic"), zen2, "best", "", "zen", "penryn sandybridge"},
    {blis("generic"), zen4, "best", "", "zen", "penryn sandybridge"},
    {blis("generic"), sandy, "best", "", "", "penryn sandybridge"},
    {blis("haswell"), zen4, "best", "", "", "zen zen2 zen3 skx zen4 zen9"},
    {blis("skx"), xeon, "best", "", "", "knl"},
    {blis("zen3"), zen4, "HASWELL", "", "haswell"},
    {blis("zen3"), zen4, "haswell", "3", "haswell"},
    {blis("zen3"), zen4, "haswell", "0", refused},
    {blis("zen3"), zen4, "SkylakeX", "", refused},
    {blis("haswell"), xeon, "zen", "", refused},
    {blis("haswell", "0.9.1"), xeon, "best", "", ""},
    {without(blis("generic"), "skx "), xeon, "best", "", "haswell"},
    // Kernels that add bfloat16 alone are below SkylakeX.
    {openblas("Cooperlake", "0.3.29"), xeon, "best", "", "SkylakeX", "SapphireRapids"},
    // Only what the library holds.
    {without(openblas("Prescott"), "SkylakeX Zen "), xeon, "best", "", "Haswell"},
    {without(openblas("Prescott"), "SkylakeX Zen "), zen2, "best", "", "Haswell"},
    {without(openblas("Prescott"), "SkylakeX Haswell Zen "), xeon, "best", "", ""},
    // Other libraries are left alone.
    {fixed(openblas("Prescott")), xeon, "best", "", ""},
    {other("MKL"), xeon, "best", "", ""},
    // What the user says stands, unless the processor cannot run it.
    {openblas("Prescott"), xeon, "", "Haswell", ""},
    {openblas("Prescott"), xeon, "as-picked", "", ""},
    {openblas("Prescott"), xeon, "haswell", "", "Haswell"},
    {openblas("Prescott", "0.3.20"), xeon, "SkylakeX", "", "SkylakeX"},
    {openblas("Prescott"), xeon, "Haswell", "HASWELL", "Haswell"},
    {openblas("Prescott"), xeon, "Haswell", "Zen", refused},
    {openblas("Prescott"), haswell, "SkylakeX", "", refused},
    {openblas("Prescott"), xeon, "Pentium", "", refused}};
}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(for_each_library_and_processor_the_right_ones) {
  for (const Case& of : cases) {
    std::istringstream picks(of.offer.picked + ' ' + of.also);
    for (std::string picked; picks >> picked;) {
      KernelOffer offer = of.offer;
      offer.picked = picked;
      const auto choose = [&] { return choose_kernels(offer, of.processor, of.wish, of.own).core; };
      BOOST_TEST_CONTEXT(offer.library << " picked " << picked << ", wished " << of.wish) {
        if (of.core == refused)
          BOOST_CHECK_THROW(choose(), Error);
        else
          BOOST_TEST(choose() == of.core);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(versions_that_were_not_tried_may_be_slower_and_say_so) {
  BOOST_TEST(!choose_kernels(blis("zen9", "9.0"), zen4, "", "").slower);
  BOOST_TEST(choose_kernels(blis("haswell", "0.9.1"), xeon, "", "").slower);
  const KernelChoice unchecked = choose_kernels(openblas("Prescott", "0.3.20"), xeon, "", "");
  BOOST_TEST(unchecked.core == "");
  BOOST_TEST(unchecked.slower);
  BOOST_TEST(unchecked.why.find("PERP_KERNELS=SkylakeX") != std::string::npos);
  BOOST_TEST(choose_kernels(blis("haswell"), xeon, "", "3").why == "BLIS_ARCH_TYPE=3 was set");
}

BOOST_AUTO_TEST_CASE(usable_cores_are_those_that_run_and_are_held) {
  const auto text = [](const KernelOffer& offer, const Processor& processor) {
    std::string names;
    for (const std::string& core : usable_cores(offer, processor)) names += core + ' ';
    return names;
  };
  BOOST_TEST(text(openblas("Prescott"), haswell) == "Haswell ");
  BOOST_TEST(text(openblas("Prescott"), zen4) == "SkylakeX Zen Haswell ");
  BOOST_TEST(text(openblas("ARMV8"), graviton) == "NEOVERSEN1 ");
  BOOST_TEST(text(blis("generic"), zen2) == "zen haswell ");
  BOOST_TEST(text(openblas("Prescott"), sandy) == "");
  BOOST_TEST(text(without(openblas("Prescott"), "Zen "), zen2) == "Haswell ");
  BOOST_TEST(text(fixed(openblas("Prescott")), haswell) == "");
  BOOST_TEST(text(other("MKL"), xeon) == "");
}

BOOST_AUTO_TEST_CASE(this_processor_runs_what_the_table_takes_for_it) {
  // The instruction sets come in order; a program compiled for this machine has those it was compiled for.
  [[maybe_unused]] const Processor here = this_processor();
#if defined(__AVX512F__) && defined(__AVX512VL__)
  BOOST_TEST((here.has == Instructions::avx512));
#elif defined(__AVX2__) && defined(__FMA__)
  BOOST_TEST((here.has >= Instructions::avx2));
#endif
}

BOOST_AUTO_TEST_SUITE_END()
