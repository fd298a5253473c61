#include "studies/orthogonality/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::orthogonality::study(), argc, argv); }
