#include <cstring>

#include "studies/inspect/study.hpp"

int main(int argc, char** argv) {
  bool into_folder = false;
  for (int i = 1; i < argc; ++i)
    into_folder =
        into_folder || std::strcmp(argv[i], "--out") == 0 || std::strncmp(argv[i], "--out=", 6) == 0;
  return perp::run_study(perp::inspect::study(into_folder), argc, argv);
}
