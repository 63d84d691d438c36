// SPDX-License-Identifier: Apache-2.0
// spectral on the CPU by any library of Fourier transforms; methods/spectral/spectral_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include "collision/fourier/whole_cells.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spectral/spectral_item.hpp"
#include "collision/spectral/spectral_spectra.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

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
struct SpectralFourier : CollisionOperator<Real>, private SpectralSpectra<Real, Transform> {
  using Spectra = SpectralSpectra<Real, Transform>;
  using Spectra::setup, Spectra::scratch, Spectra::transform, Spectra::thread_memory, Spectra::gain_count;
  using typename Spectra::Complex, typename Spectra::GasMemory, typename Spectra::ThreadMemory;

  SpectralTables tables;

  SpectralFourier(const CollisionSetup& setup_, Scratch& scratch_) : Spectra(setup_, scratch_), tables(setup_) {}

  void evaluate(const Real* f, Real* q) override {
    ScratchFrame frame(scratch);
    const CellMemory memory = cell_memory(frame);
    const std::vector<ThreadMemory> of_threads = Spectra::thread_memories(frame);
    Spectra::find_spectrum(f, memory.gas);
    sum_work_groups(setup, scratch, gain_count(), reinterpret_cast<Real*>(memory.gain), [&](int group, Real* sum) {
      add_gain(group, memory.gas.spectrum, of_threads[static_cast<std::size_t>(omp_get_thread_num())], sum);
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
      Spectra::find_spectrum(cell_f, memory.cell.gas);
      sum_work_groups_on_thread(
          gain_count(), memory.group_sum, reinterpret_cast<Real*>(memory.cell.gain),
          [&](int group, Real* sum) { add_gain(group, memory.cell.gas.spectrum, memory.thread, sum); });
      finish(cell_f, memory.cell, memory.thread.products, q + cell * nodes);
    });
  }

 private:
  /// Arrays of a cell.
  struct CellMemory {
    GasMemory gas;
    Complex* gain;  ///< [half_count] half spectrum of the gain
  };

  CellMemory cell_memory(ScratchFrame& frame) const {
    return {Spectra::gas_memory(frame), frame.array<Complex>(transform().half_count()).data};
  }

  /// Adds the half spectra of the gain of the radii of a work group.
  /// @param sum  [gain_count()]
  void add_gain(int group, const Complex* spectrum, const ThreadMemory& memory, Real* sum) const {
    const int sums = tables.sums(setup.directions), count = setup.directions.count() / sums;
    for (std::size_t p = static_cast<std::size_t>(group); p < tables.radii.size(); p += work_groups)
      for (int first = 0; first < sums * count; first += count) {
        sum_products(spectrum, tables.radii[p].x, {first, first + count}, memory.buffer, memory.products);
        transform().to_spectrum(memory.products, memory.products_spectrum);
        Spectra::add_spectrum(memory.products_spectrum, tables.series(p),
                              setup.directions.point[static_cast<std::size_t>(first)], reinterpret_cast<Complex*>(sum));
      }
  }

  /// q is the difference of gain and loss. Overwrites the half spectra.
  /// @param gain  [nodes] overwritten
  void finish(const Real* f, const CellMemory& memory, Real* gain, Real* q) const {
    Real* loss = memory.gas.work;
    Spectra::transform_back(memory.gain, memory.gas.half, tables.loss, gain, loss);
    for (std::int64_t i = 0; i < setup.grid.node_count(); ++i) q[i] = gain[i] - f[i] * loss[i];
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
};

}  // namespace shoal::collision
