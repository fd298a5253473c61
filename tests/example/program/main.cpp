#include "studies/example/claims.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::example::study(), argc, argv); }
