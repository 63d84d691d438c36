// SPDX-License-Identifier: Apache-2.0
// spectral on the CPU by any library of Fourier transforms; methods/spectral_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include <numbers>

#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spectral/spectral_item.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

/// Cosines and sines of the phases along an axis.
template <class Real>
struct Phases {
  std::vector<Real> cosine, sine;

  Phases(int n, double step) : cosine(static_cast<std::size_t>(n)), sine(cosine.size()) {
    const WaveNumbers waves{n};
    for (int k = 0; k < n; ++k) {
      cosine[static_cast<std::size_t>(k)] = static_cast<Real>(std::cos(step * waves.signed_number(k)));
      sine[static_cast<std::size_t>(k)] = static_cast<Real>(std::sin(step * waves.signed_number(k)));
    }
  }
};

/// out[x] = (cos p + sin p) f̂[x] along a row.
/// @param cosine, sine  of the phase of y and z
template <class Real>
SHOAL_CPU_VARIANTS void shift_row(const Real* spectrum, const Phases<Real>& x, Real cosine, Real sine, int n,
                                  Real* out) {
  const Real* cosines = x.cosine.data();
  const Real* sines = x.sine.data();
  for (int k = 0; k < n; ++k) {
    const Real factor = (cosine + sine) * cosines[k] + (cosine - sine) * sines[k];
    out[2 * k] = factor * spectrum[2 * k];
    out[2 * k + 1] = factor * spectrum[2 * k + 1];
  }
}

/// sum[z][k] += weight ((Re h)² − (Im h)²) for columns h[n][columns_at_once], of which `count` are used.
/// @param stride  values between the rows of `sum`
template <class Real>
SHOAL_CPU_VARIANTS void add_shifted_products(const Real* h, Real weight, int n, std::int64_t count, std::int64_t stride,
                                             Real* sum) {
  for (int z = 0; z < n; ++z, h += 2 * columns_at_once, sum += stride)
    for (std::int64_t k = 0; k < count; ++k) sum[k] += weight * (h[2 * k] * h[2 * k] - h[2 * k + 1] * h[2 * k + 1]);
}

/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
struct SpectralFourier : CollisionOperator<Real> {
  using Complex = std::complex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectralTables tables;
  FourierSpectrum<Real, Transform> spectra;

  SpectralFourier(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_), spectra(setup_.n()) {}

  const Transform& transform() const { return spectra.transform(); }

  void evaluate(const Real* f, Real* q) override {
    const std::int64_t nodes = setup.grid.node_count();
    const std::int64_t half_count = transform().half_count();
    ScratchFrame frame(scratch);
    Real* work = frame.array<Real>(nodes).data;
    Complex* half = frame.array<Complex>(half_count).data;
    Complex* spectrum = frame.array<Complex>(nodes).data;
    spectra.half_spectrum(f, work, half);
    spectra.complete(half, spectrum);

    const int threads = scratch.queue().threads();
    const std::int64_t node_stride = aligned_count(nodes), half_stride = aligned_count(half_count);
    const std::int64_t buffer_stride = planes_count(setup.n());
    Complex* buffers = frame.array<Complex>(threads * buffer_stride).data;
    Real* products_of_threads = frame.array<Real>(threads * node_stride).data;
    Complex* spectra_of_threads = frame.array<Complex>(threads * half_stride).data;
    Complex* gain = frame.array<Complex>(half_count).data;
    sum_work_groups(setup, scratch, 2 * half_count, reinterpret_cast<Real*>(gain), [&](int group, Real* group_sum) {
      const int thread = omp_get_thread_num();
      Real* products = products_of_threads + thread * node_stride;
      Complex* products_spectrum = spectra_of_threads + thread * half_stride;
      for (std::size_t p = static_cast<std::size_t>(group); p < tables.radii.size(); p += work_groups) {
        sum_products(spectrum, tables.radii[p].x, buffers + thread * buffer_stride, products);
        transform().to_spectrum(products, products_spectrum);
        add_spectrum(products_spectrum, tables.gain[p], reinterpret_cast<Complex*>(group_sum));
      }
    });
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      const bool left_out = WaveNumbers{setup.n()}.left_out(x, y, z);
      gain[i] *= left_out ? 0 : Real(1) / static_cast<Real>(nodes);
      half[i] *= static_cast<Real>(tables.loss[square(x, y, z)]);
    });
    transform().from_spectrum(half, work);
    transform().from_spectrum(gain, products_of_threads);
    for (std::int64_t i = 0; i < nodes; ++i) q[i] = products_of_threads[i] - f[i] * work[i];
  }

 private:
  /// Σ_n s_n f(v + ρn/2) f(v − ρn/2)
  void sum_products(const Complex* spectrum, double radius, Complex* buffer, Real* sum) const {
    const int n = setup.n();
    std::fill_n(sum, setup.grid.node_count(), Real(0));
    for (std::size_t k = 0; k < setup.directions.point.size(); ++k) {
      const double step = std::numbers::pi * radius / (2 * setup.grid.half_width);
      const auto& e = setup.directions.point[k];
      const Phases<Real> px(n, step * e[0]), py(n, step * e[1]), pz(n, step * e[2]);
      const auto shift_plane = [&](int z, Complex* plane) {
        const Real cosine_z = pz.cosine[static_cast<std::size_t>(z)], sine_z = pz.sine[static_cast<std::size_t>(z)];
        for (int y = 0; y < n; ++y) {
          const Real cosine_y = py.cosine[static_cast<std::size_t>(y)], sine_y = py.sine[static_cast<std::size_t>(y)];
          shift_row(reinterpret_cast<const Real*>(spectrum + (z * n + y) * n), px,
                    cosine_y * cosine_z - sine_y * sine_z, sine_y * cosine_z + cosine_y * sine_z, n,
                    reinterpret_cast<Real*>(plane + y * n));
        }
      };
      const auto weight = static_cast<Real>(setup.directions.weight[k]);
      const auto add_columns = [&](std::int64_t first, std::int64_t count, const Complex* columns) {
        add_shifted_products(reinterpret_cast<const Real*>(columns), weight, n, count, n * n, sum + first);
      };
      inverse_by_planes(transform(), n, buffer, shift_plane, add_columns);
    }
  }

  void add_spectrum(const Complex* products, const std::vector<double>& factor, Complex* sum) const {
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      sum[i] += static_cast<Real>(factor[square(x, y, z)]) * products[i];
    });
  }

  std::size_t square(int x, int y, int z) const {
    return static_cast<std::size_t>(WaveNumbers{setup.n()}.square(x, y, z));
  }
};

}  // namespace shoal::collision
