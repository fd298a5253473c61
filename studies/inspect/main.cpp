#include "studies/inspect/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::inspect::study(false), argc, argv); }
