#include "studies/learning/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::learning::study(), argc, argv); }
