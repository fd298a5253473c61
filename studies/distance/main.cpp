#include "studies/distance/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::distance::study(), argc, argv); }
