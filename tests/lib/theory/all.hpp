#pragma once
// The floor.

#include "perp/theory/bilinear.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/cost.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/reader.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/theory/rotary_base.hpp"
#include "perp/theory/subspaces.hpp"
