// The program of each study: PERP_STUDY is its name, from CMake.

#include "perp/study/experiment.hpp"

namespace perp::PERP_STUDY {
Study study();
}

int main(int argc, char** argv) { return perp::run_study(perp::PERP_STUDY::study(), argc, argv); }
