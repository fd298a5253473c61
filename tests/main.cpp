#define BOOST_TEST_MODULE perpendicular
#include <boost/test/unit_test.hpp>
