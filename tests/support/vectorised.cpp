// Loops that take long unless they are vector code; tests/project/vectorised.sh asks the compiler whether
// each `for` here is.

#include "perp/base/functions.hpp"
#include "perp/random/box_muller.hpp"

namespace perp {

void turn(const double* __restrict angles, double* __restrict sines, double* __restrict cosines, int n) {
  for (int i = 0; i < n; ++i) {
    const SineCosine turned = quick_sine(angles[i]);
    sines[i] = turned.sine;
    cosines[i] = turned.cosine;
  }
}

template <class Bits, class T>
void draw(const Bits* __restrict radius, const Bits* __restrict angle, T* __restrict x, T* __restrict y,
          int n) {
  for (int i = 0; i < n; ++i) {
    const detail::Pair<T> pair = detail::box_muller(radius[i], angle[i]);
    x[i] = pair.x;
    y[i] = pair.y;
  }
}
template void draw(const std::uint32_t*, const std::uint32_t*, float*, float*, int);
template void draw(const std::uint64_t*, const std::uint64_t*, double*, double*, int);

template <class T>
void raise(T* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = quick_exp(x[i]);
}
template void raise(float*, int);
template void raise(double*, int);

}  // namespace perp
