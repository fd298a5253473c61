#include "perp/study/start.hpp"
#include "program/words.hpp"

int main(int argc, char** argv) {
  return perp::start(perp::program::name_of(argc, argv), argv,
                     [&] { return perp::program::run(argc, argv); });
}
