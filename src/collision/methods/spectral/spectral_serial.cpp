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
#include "collision/methods/methods.hpp"
#include "collision/spectral/spectral_item.hpp"
#include "collision/spectral/spectral_plain.hpp"

namespace shoal::collision {

namespace {

using Values = PlainTransform::Values;

template <class Real>
struct SpectralSerial : CollisionOperator<Real>, SpectralPlain {
  SpectralTables tables;

  SpectralSerial(const CollisionSetup& setup_, Scratch&) : SpectralPlain(setup_), tables(setup_) {}

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

  /// f(v + ρn/2) f(v − ρn/2)
  Values products_of(const Values& spectrum, const std::array<double, 3>& n, double radius) const {
    Values products = shifted(spectrum, n, radius / 2);
    const Values minus = shifted(spectrum, n, -radius / 2);
    for (std::size_t i = 0; i < products.size(); ++i) products[i] = products[i].real() * minus[i].real();
    return products;
  }
};

}  // namespace

const OperatorFactory spectral_serial = operator_factory<SpectralSerial>();

}  // namespace shoal::collision
