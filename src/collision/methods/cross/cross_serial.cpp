// SPDX-License-Identifier: Apache-2.0
// serial, spectral between two gases: transforms by their definition, in double; the reference for fftw and cufft.
//
// idea           the formulas of spectral_item.hpp without rearrangement
// source         Gamba, Haack, Hauck and Hu (2017), for molecules of two masses
// memory         several complex values per node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M radii N⁴)
// deviations     not from the formulas
#include "collision/methods/methods.hpp"
#include "collision/mixture/cross_operator.hpp"
#include "collision/spectral/spectral_item.hpp"
#include "collision/spectral/spectral_plain.hpp"

namespace shoal::collision {

namespace {

using Values = PlainTransform::Values;

template <class Real>
struct CrossSerial : CrossOperator<Real>, SpectralPlain {
  std::array<double, 2> shares;
  std::array<SpectralTables, 2> tables;

  CrossSerial(const MixtureSetup& mixture, Scratch&)
      : SpectralPlain(mixture.unlike),
        shares(mixture.shares),
        tables{SpectralTables(setup, shares[1]), SpectralTables(setup, shares[0])} {}

  void add(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q) override {
    const auto spectrum_of = [&](const Real* values) {
      return transform.forward(Values(values, values + setup.grid.node_count()));
    };
    const std::array<Values, 2> spectra{spectrum_of(f[0]), spectrum_of(f[1])};
    std::array<Values, 2> gain{Values(spectra[0].size()), Values(spectra[1].size())};
    for (std::size_t p = 0; p < tables[0].radii.size(); ++p) {
      const Values products = transform.forward(sum_of_products(spectra, tables[0].radii[p].x));
      for (std::size_t gas = 0; gas < 2; ++gas)
        for (std::size_t i = 0; i < products.size(); ++i)
          gain[gas][i] += tables[gas].series(p)(square(i), 0) * products[i];
    }
    for (std::size_t gas = 0; gas < 2; ++gas) {
      Values loss = spectra[1 - gas];
      for (std::size_t i = 0; i < loss.size(); ++i) loss[i] *= tables[gas].loss[static_cast<std::size_t>(square(i))];
      add_difference(transform.inverse(gain[gas]), transform.inverse(loss), f[gas], q[gas]);
    }
  }

  /// q += gain − f loss
  static void add_difference(const Values& gain, const Values& loss, const Real* f, Real* q) {
    for (std::size_t i = 0; i < gain.size(); ++i)
      q[i] += static_cast<Real>(gain[i].real() - static_cast<double>(f[i]) * loss[i].real());
  }

  /// Σ_n s_n f₁(c + a₂ρn) f₂(c − a₁ρn)
  Values sum_of_products(const std::array<Values, 2>& spectra, double radius) const {
    Values sum(spectra[0].size());
    for (std::size_t k = 0; k < setup.directions.point.size(); ++k) {
      const Values first = shifted(spectra[0], setup.directions.point[k], shares[1] * radius);
      const Values second = shifted(spectra[1], setup.directions.point[k], -shares[0] * radius);
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += setup.directions.weight[k] * first[i].real() * second[i].real();
    }
    return sum;
  }
};

}  // namespace

const CrossFactory cross_serial = cross_factory<CrossSerial>();

}  // namespace shoal::collision
