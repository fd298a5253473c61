#pragma once
// A run's place as A8 and A9 name it in their tables.

#include "perp/study/claim.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning::columns {

inline const auto task =
    exact("task", "copy2: the word two places before; named: the word at a named place; bite: who bit whom",
          &Run::task);
inline const auto arm = exact("arm", "add: positions added; concat: beside the word; none", &Run::arm);
inline const auto positions =
    exact("positions", "centred: the sinusoid less its mean; learned: a table; none", &Run::positions);
inline const auto p =
    exact("p", "dimensions of the position beside the word; 0: none of their own", &Run::position_width);
inline const auto width = exact("width", "d", &Run::width);
inline const auto seed = exact("seed", "of words, weights and data; other data in another task", &Run::seed);
inline const auto step = exact("step", "steps of training", &Geometry::step).unit("steps");

}  // namespace perp::learning::columns
