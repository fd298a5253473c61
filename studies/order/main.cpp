#include "studies/order/study.hpp"

int main(int argc, char** argv) { return perp::run_study(perp::order::study(), argc, argv); }
