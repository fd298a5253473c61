// lib/precompiled.hpp for the tests, whose flags differ.

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "../lib/precompiled.hpp"
