// SPDX-License-Identifier: Apache-2.0
// serial, carleman: transforms by their definition, one for each factor, in double; the reference for fftw and cufft.
//
// idea           the formulas of carleman_item.hpp without rearrangement
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013)
// memory         several complex values per node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M N⁴)
// deviations     any direction set
#include "collision/carleman/carleman_item.hpp"
#include "collision/fourier/plain_transform.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

using Values = PlainTransform::Values;

template <class Real>
struct CarlemanSerial : CollisionOperator<Real> {
  const CollisionSetup& setup;
  CarlemanKernel kernel;
  PlainTransform transform;

  CarlemanSerial(const CollisionSetup& setup_, Scratch&) : setup(setup_), kernel(setup_), transform(setup_.n()) {}

  void evaluate(const Real* f, Real* q) override {
    const Values spectrum = transform.forward(Values(f, f + setup.grid.node_count()));
    std::vector<double> sum(spectrum.size());
    for (std::size_t e = 0; e < setup.directions.point.size(); ++e) {
      Values along = spectrum, across = spectrum, both = spectrum;
      for (std::size_t i = 0; i < spectrum.size(); ++i) {
        const CarlemanKernel::Wave wave = wave_at(i, setup.directions.point[e]);
        const double phi = kernel.along(wave.along), psi = kernel.across(wave.across);
        along[i] *= phi;
        across[i] *= psi;
        both[i] *= phi * psi;
      }
      along = transform.inverse(along);
      across = transform.inverse(across);
      both = transform.inverse(both);
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += setup.directions.weight[e] *
                  (along[i].real() * across[i].real() - static_cast<double>(f[i]) * both[i].real());
    }
    for (std::size_t i = 0; i < sum.size(); ++i) q[i] = static_cast<Real>(kernel.scale() * sum[i]);
  }

  CarlemanKernel::Wave wave_at(std::size_t i, const std::array<double, 3>& e) const {
    const int n = setup.n(), index = static_cast<int>(i);
    const WaveNumbers waves{n};
    const int k[3] = {waves.signed_number(index % n), waves.signed_number(index / n % n),
                      waves.signed_number(index / n / n)};
    return kernel.wave(k, e.data());
  }
};

}  // namespace

const OperatorFactory carleman_serial = operator_factory<CarlemanSerial>();

}  // namespace shoal::collision
