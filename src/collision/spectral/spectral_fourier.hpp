// SPDX-License-Identifier: Apache-2.0
// spectral on the CPU by any library of Fourier transforms; methods/spectral_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include <numbers>

#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/fourier/whole_cells.hpp"
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
    ScratchFrame frame(scratch);
    const CellMemory memory = cell_memory(frame);
    std::vector<ThreadMemory> of_threads;
    for (int thread = 0; thread < scratch.queue().threads(); ++thread) of_threads.push_back(thread_memory(frame));
    find_spectrum(f, memory);
    sum_work_groups(setup, scratch, gain_count(), reinterpret_cast<Real*>(memory.gain), [&](int group, Real* sum) {
      add_gain(group, memory.spectrum, of_threads[static_cast<std::size_t>(omp_get_thread_num())], sum);
    });
    finish(f, memory, of_threads.front().products, q);
  }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    if (!are_whole_cells(setup, scratch.queue(), cells))
      return CollisionOperator<Real>::evaluate_cells(f, q, cells, nodes);
    struct Memory {
      CellMemory cell;
      ThreadMemory thread;
      Real* group_sum;
    };
    ScratchFrame frame(scratch);
    const auto make_memory = [&] {
      return Memory{cell_memory(frame), thread_memory(frame), frame.array<Real>(gain_count()).data};
    };
    for_each_whole_cell(scratch.queue(), cells, make_memory, [&](std::int64_t cell, const Memory& memory) {
      const Real* cell_f = f + cell * nodes;
      find_spectrum(cell_f, memory.cell);
      sum_work_groups_on_thread(
          gain_count(), memory.group_sum, reinterpret_cast<Real*>(memory.cell.gain),
          [&](int group, Real* sum) { add_gain(group, memory.cell.spectrum, memory.thread, sum); });
      finish(cell_f, memory.cell, memory.thread.products, q + cell * nodes);
    });
  }

 private:
  /// Arrays of a cell.
  struct CellMemory {
    Real* work;         ///< [nodes]
    Complex* half;      ///< [half_count] half spectrum of f
    Complex* spectrum;  ///< [nodes] spectrum of f
    Complex* gain;      ///< [half_count] half spectrum of the gain
  };
  /// Arrays of a thread.
  struct ThreadMemory {
    Complex* buffer;             ///< [planes_count(n)]
    Real* products;              ///< [nodes] a sum of products of shifted distributions
    Complex* products_spectrum;  ///< [half_count]
  };

  CellMemory cell_memory(ScratchFrame& frame) const {
    const std::int64_t nodes = setup.grid.node_count(), half_count = transform().half_count();
    return {frame.array<Real>(nodes).data, frame.array<Complex>(half_count).data, frame.array<Complex>(nodes).data,
            frame.array<Complex>(half_count).data};
  }
  ThreadMemory thread_memory(ScratchFrame& frame) const {
    return {frame.array<Complex>(planes_count(setup.n())).data, frame.array<Real>(setup.grid.node_count()).data,
            frame.array<Complex>(transform().half_count()).data};
  }

  /// Number of real values of the gain's half spectrum.
  std::int64_t gain_count() const { return 2 * transform().half_count(); }

  void find_spectrum(const Real* f, const CellMemory& memory) const {
    spectra.half_spectrum(f, memory.work, memory.half);
    spectra.complete(memory.half, memory.spectrum);
  }

  /// Adds the half spectra of the gain of the radii of a work group.
  /// @param sum  [gain_count()]
  void add_gain(int group, const Complex* spectrum, const ThreadMemory& memory, Real* sum) const {
    const int sums = tables.sums(setup.directions), count = setup.directions.count() / sums;
    for (std::size_t p = static_cast<std::size_t>(group); p < tables.radii.size(); p += work_groups)
      for (int first = 0; first < sums * count; first += count) {
        sum_products(spectrum, tables.radii[p].x, {first, first + count}, memory.buffer, memory.products);
        transform().to_spectrum(memory.products, memory.products_spectrum);
        add_spectrum(memory.products_spectrum, tables.series(p),
                     setup.directions.point[static_cast<std::size_t>(first)], reinterpret_cast<Complex*>(sum));
      }
  }

  /// Transforms gain and loss back; q is their difference. Overwrites the half spectra.
  /// @param gain  [nodes] overwritten
  void finish(const Real* f, const CellMemory& memory, Real* gain, Real* q) const {
    const std::int64_t nodes = setup.grid.node_count();
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      const bool left_out = WaveNumbers{setup.n()}.left_out(x, y, z);
      memory.gain[i] *= left_out ? 0 : Real(1) / static_cast<Real>(nodes);
      memory.half[i] *=
          static_cast<Real>(tables.loss[static_cast<std::size_t>(WaveNumbers{setup.n()}.square(x, y, z))]);
    });
    transform().from_spectrum(memory.half, memory.work);
    transform().from_spectrum(memory.gain, gain);
    for (std::int64_t i = 0; i < nodes; ++i) q[i] = gain[i] - f[i] * memory.work[i];
  }

  /// Σ_n s_n f(v + ρn/2) f(v − ρn/2)
  /// @param directions  numbers of the directions n
  void sum_products(const Complex* spectrum, double radius, Range directions, Complex* buffer, Real* sum) const {
    const int n = setup.n();
    std::fill_n(sum, setup.grid.node_count(), Real(0));
    for (auto k = static_cast<std::size_t>(directions.begin); k < static_cast<std::size_t>(directions.end); ++k) {
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

  /// sum += F FFT[products]
  /// @param direction  of the products, if F depends on it
  void add_spectrum(const Complex* products, const GainSeries& factor, const std::array<double, 3>& direction,
                    Complex* sum) const {
    const WaveNumbers waves{setup.n()};
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      sum[i] += static_cast<Real>(factor(waves.square(x, y, z), waves.along(direction.data(), x, y, z))) * products[i];
    });
  }
};

}  // namespace shoal::collision
