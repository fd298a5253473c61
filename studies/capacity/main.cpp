#include "studies/capacity/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::capacity::study(), argc, argv); }
