#include "studies/anatomy/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::anatomy::study(), argc, argv); }
