// SPDX-License-Identifier: Apache-2.0
// carleman on the CPU by any library of Fourier transforms; methods/carleman_fftw.cpp has the method notes.
#pragma once
#include "collision/carleman/carleman_tables.hpp"
#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/setup/work_groups.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

/// sum[i] += weight Re h Im h
template <class Real>
SHOAL_CPU_VARIANTS void add_factor_products(const Real* h, Real weight, std::int64_t count, Real* sum) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] += weight * (h[2 * i] * h[2 * i + 1]);
}

/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
struct CarlemanFourier : CollisionOperator<Real> {
  using Complex = std::complex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  FourierSpectrum<Real, Transform> spectra;
  CarlemanTables<Real> tables;

  CarlemanFourier(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), spectra(setup_.n()), tables(setup_, setup_.n(), scratch_.queue().threads()) {}

  void evaluate(const Real* f, Real* q) override {
    const std::int64_t nodes = setup.grid.node_count();
    const Transform& transform = spectra.transform();
    ScratchFrame frame(scratch);
    Real* work = frame.array<Real>(nodes).data;
    Complex* half = frame.array<Complex>(transform.half_count()).data;
    Complex* spectrum = frame.array<Complex>(nodes).data;
    spectra.half_spectrum(f, work, half);
    spectra.complete(half, spectrum);

    const std::int64_t stride = aligned_count(nodes);
    Complex* factors = frame.array<Complex>(work_groups * stride).data;
    sum_work_groups(setup, scratch, nodes, q, [&](int group, Real* group_sum) {
      Complex* h = factors + group * stride;
      for (std::size_t e = static_cast<std::size_t>(group); e < setup.directions.point.size(); e += work_groups) {
        const Complex* kernel = direction_factors(e);
        for (std::int64_t i = 0; i < nodes; ++i) h[i] = multiply(spectrum[i], kernel[i]);
        transform.inverse(h);
        add_factor_products(reinterpret_cast<const Real*>(h), tables.weights[e], nodes, group_sum);
      }
    });
    const Complex* loss = direction_factors(setup.directions.point.size());
    spectra.for_each_of_half(
        [&](std::int64_t i, int x, int y, int z) { half[i] *= loss[(z * setup.n() + y) * setup.n() + x].real(); });
    transform.from_spectrum(half, work);
    for (std::int64_t i = 0; i < nodes; ++i) q[i] -= f[i] * work[i];
  }

 private:
  /// Factors of a direction, [nodes³]; those of the loss follow the last direction.
  const Complex* direction_factors(std::size_t direction) const {
    return tables.factors.data() + direction * static_cast<std::size_t>(setup.grid.node_count());
  }
  /// Product without the special treatment of infinities by std::complex.
  static Complex multiply(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

}  // namespace shoal::collision
