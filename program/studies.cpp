#include "program/studies.hpp"

#include "studies/anatomy/study.hpp"
#include "studies/capacity/study.hpp"
#include "studies/distance/study.hpp"
#include "studies/inspect/study.hpp"
#include "studies/learning/study.hpp"
#include "studies/order/study.hpp"
#include "studies/orthogonality/study.hpp"

namespace perp::program {

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies = {orthogonality::study(), distance::study(), capacity::study(),
                                             order::study(),         learning::study(), anatomy::study(),
                                             inspect::study(true)};
  return studies;
}

}  // namespace perp::program
