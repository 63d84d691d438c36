// SPDX-License-Identifier: Apache-2.0
// serial, spectral: transforms by their definition, one per shifted f, in double; the reference for fftw and cufft.
//
// idea           the formulas of spectral_item.hpp without rearrangement
// source         Gamba, Haack, Hauck and Hu (2017)
// memory         several complex values per node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M radii N⁴)
// deviations     not from the source
#include "collision/fourier/plain_transform.hpp"
#include "collision/methods/methods.hpp"
#include "collision/spectral/spectral_item.hpp"

namespace shoal::collision {

namespace {

using Values = PlainTransform::Values;

template <class Real>
struct SpectralSerial : CollisionOperator<Real> {
  const CollisionSetup& setup;
  SpectralTables tables;
  PlainTransform transform;

  SpectralSerial(const CollisionSetup& setup_, Scratch&) : setup(setup_), tables(setup_), transform(setup_.n()) {}

  void evaluate(const Real* f, Real* q) override {
    const Values at_nodes(f, f + setup.grid.node_count());
    const Values spectrum = transform.forward(at_nodes);
    Values gain(spectrum.size());
    for (std::size_t p = 0; p < tables.radii.size(); ++p)
      for (std::size_t k = 0; k < setup.directions.point.size(); ++k) {
        const auto& direction = setup.directions.point[k];
        const Values products = transform.forward(products_of(spectrum, direction, tables.radii[p].x));
        for (std::size_t i = 0; i < gain.size(); ++i)
          gain[i] += setup.directions.weight[k] * tables.series(p)(square(i), along(direction, i)) * products[i];
      }
    Values loss = spectrum;
    for (std::size_t i = 0; i < loss.size(); ++i) loss[i] *= tables.loss[static_cast<std::size_t>(square(i))];
    gain = transform.inverse(gain);
    loss = transform.inverse(loss);
    for (std::size_t i = 0; i < gain.size(); ++i)
      q[i] = static_cast<Real>(gain[i].real() - static_cast<double>(f[i]) * loss[i].real());
  }

  int square(std::size_t i) const {
    const auto [x, y, z] = indices(i);
    return WaveNumbers{setup.n()}.square(x, y, z);
  }
  double along(const std::array<double, 3>& direction, std::size_t i) const {
    const auto [x, y, z] = indices(i);
    return WaveNumbers{setup.n()}.along(direction.data(), x, y, z);
  }
  std::array<int, 3> indices(std::size_t i) const {
    const int n = setup.n(), k = static_cast<int>(i);
    return {k % n, k / n % n, k / n / n};
  }

  /// f(v + ρn/2) f(v − ρn/2)
  Values products_of(const Values& spectrum, const std::array<double, 3>& n, double radius) const {
    Values products = shifted(spectrum, n, radius / 2);
    const Values minus = shifted(spectrum, n, -radius / 2);
    for (std::size_t i = 0; i < products.size(); ++i) products[i] = products[i].real() * minus[i].real();
    return products;
  }

  /// f(v + distance n)
  Values shifted(Values spectrum, const std::array<double, 3>& n, double distance) const {
    for (std::size_t i = 0; i < spectrum.size(); ++i)
      spectrum[i] *= std::polar(1.0, std::numbers::pi * along(n, i) * distance / setup.grid.half_width);
    return transform.inverse(spectrum);
  }
};

}  // namespace

const OperatorFactory spectral_serial = operator_factory<SpectralSerial>();

}  // namespace shoal::collision
