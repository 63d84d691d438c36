// SPDX-License-Identifier: Apache-2.0
// spectral between two gases on the CPU by any library of Fourier transforms. One transform has the shifted distributions
// of both gases, as its real and imaginary part; methods/spectral/spectral_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include "collision/fourier/whole_cells.hpp"
#include "collision/mixture/cross_operator.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spectral/spectral_item.hpp"
#include "collision/spectral/spectral_spectra.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

/// Phases of the shift of one gas along the axes, for one radius and direction.
template <class Real>
struct ShiftPhases {
  Phases<Real> x, y, z;

  /// @param step  phase for a wave number of 1 along n
  ShiftPhases(int n, double step, const std::array<double, 3>& direction)
      : x(n, step * direction[0]), y(n, step * direction[1]), z(n, step * direction[2]) {}

  /// Cosine and sine of the phase along y and z.
  std::complex<Real> across(int ky, int kz) const {
    const auto b = static_cast<std::size_t>(ky), c = static_cast<std::size_t>(kz);
    return {y.cosine[b] * z.cosine[c] - y.sine[b] * z.sine[c], y.sine[b] * z.cosine[c] + y.cosine[b] * z.sine[c]};
  }
};

/// out[x] = exp(i p₁) f̂₁[x] + i exp(i p₂) f̂₂[x] along a row.
/// @param across  cosine and sine of the phases of y and z
template <class Real>
SHOAL_CPU_VARIANTS void pack_shifted_rows(const Real* first, const Real* second, const Phases<Real>& first_x,
                                          const Phases<Real>& second_x, std::complex<Real> first_across,
                                          std::complex<Real> second_across, int n, Real* out) {
  const Real *cosine1 = first_x.cosine.data(), *sine1 = first_x.sine.data();
  const Real *cosine2 = second_x.cosine.data(), *sine2 = second_x.sine.data();
  const Real c1 = first_across.real(), s1 = first_across.imag(), c2 = second_across.real(), s2 = second_across.imag();
  for (int k = 0; k < n; ++k) {
    const Real real1 = cosine1[k] * c1 - sine1[k] * s1, imaginary1 = sine1[k] * c1 + cosine1[k] * s1;
    const Real real2 = cosine2[k] * c2 - sine2[k] * s2, imaginary2 = sine2[k] * c2 + cosine2[k] * s2;
    out[2 * k] =
        real1 * first[2 * k] - imaginary1 * first[2 * k + 1] - (real2 * second[2 * k + 1] + imaginary2 * second[2 * k]);
    out[2 * k + 1] =
        real1 * first[2 * k + 1] + imaginary1 * first[2 * k] + (real2 * second[2 * k] - imaginary2 * second[2 * k + 1]);
  }
}

/// sum[z][k] += weight (Re h) (Im h) for columns h[n][columns_at_once], of which `count` are used.
/// @param stride  values between the rows of `sum`
template <class Real>
SHOAL_CPU_VARIANTS void add_cross_products(const Real* h, Real weight, int n, std::int64_t count, std::int64_t stride,
                                           Real* sum) {
  for (int z = 0; z < n; ++z, h += 2 * columns_at_once, sum += stride)
    for (std::int64_t k = 0; k < count; ++k) sum[k] += weight * (h[2 * k] * h[2 * k + 1]);
}

/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
struct CrossFourier : CrossOperator<Real>, private SpectralSpectra<Real, Transform> {
  using Spectra = SpectralSpectra<Real, Transform>;
  using Spectra::setup, Spectra::scratch, Spectra::transform, Spectra::thread_memory, Spectra::gain_count;
  using typename Spectra::Complex, typename Spectra::GasMemory, typename Spectra::ThreadMemory;

  std::array<double, 2> shares;
  std::array<SpectralTables, 2> tables;

  CrossFourier(const MixtureSetup& mixture, Scratch& scratch_)
      : Spectra(mixture.unlike, scratch_),
        shares(mixture.shares),
        tables{SpectralTables(setup, shares[1]), SpectralTables(setup, shares[0])} {}

  void add(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q) override {
    ScratchFrame frame(scratch);
    const PairMemory memory = pair_memory(frame);
    const std::vector<ThreadMemory> of_threads = Spectra::thread_memories(frame);
    find_spectra(f, memory);
    sum_work_groups(setup, scratch, 2 * gain_count(), memory.gain, [&](int group, Real* sum) {
      add_gain(group, memory, of_threads[static_cast<std::size_t>(omp_get_thread_num())], sum);
    });
    finish(f, memory, of_threads.front().products, q);
  }

  void add_cells(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q, std::int64_t cells,
                 std::int64_t nodes) override {
    if (!are_whole_cells(setup, scratch.queue(), cells)) return CrossOperator<Real>::add_cells(f, q, cells, nodes);
    struct Memory {
      PairMemory cell;
      ThreadMemory thread;
      Real* group_sum;
    };
    ScratchFrame frame(scratch);
    const auto make_memory = [&] {
      return Memory{pair_memory(frame), thread_memory(frame), frame.array<Real>(2 * gain_count()).data};
    };
    for_each_whole_cell(scratch.queue(), cells, make_memory, [&](std::int64_t cell, const Memory& memory) {
      const std::array<const Real*, 2> cell_f{f[0] + cell * nodes, f[1] + cell * nodes};
      find_spectra(cell_f, memory.cell);
      sum_work_groups_on_thread(2 * gain_count(), memory.group_sum, memory.cell.gain,
                                [&](int group, Real* sum) { add_gain(group, memory.cell, memory.thread, sum); });
      finish(cell_f, memory.cell, memory.thread.products, {q[0] + cell * nodes, q[1] + cell * nodes});
    });
  }

 private:
  /// Arrays of both gases in a cell.
  struct PairMemory {
    std::array<GasMemory, 2> gas;
    Real* gain;  ///< [2][gain_count()] half spectra of the gains
  };

  PairMemory pair_memory(ScratchFrame& frame) const {
    return {{Spectra::gas_memory(frame), Spectra::gas_memory(frame)}, frame.array<Real>(2 * gain_count()).data};
  }

  void find_spectra(const std::array<const Real*, 2>& f, const PairMemory& memory) const {
    for (std::size_t gas = 0; gas < 2; ++gas) Spectra::find_spectrum(f[gas], memory.gas[gas]);
  }

  Complex* gain_of(std::size_t gas, Real* gains) const {
    return reinterpret_cast<Complex*>(gains + static_cast<std::int64_t>(gas) * gain_count());
  }

  /// Adds the half spectra of both gains of the radii of a work group: they have the same products.
  /// @param sum  [2][gain_count()]
  void add_gain(int group, const PairMemory& memory, const ThreadMemory& thread, Real* sum) const {
    for (std::size_t p = static_cast<std::size_t>(group); p < tables[0].radii.size(); p += work_groups) {
      sum_products(memory, tables[0].radii[p].x, thread.buffer, thread.products);
      transform().to_spectrum(thread.products, thread.products_spectrum);
      for (std::size_t gas = 0; gas < 2; ++gas)
        Spectra::add_spectrum(thread.products_spectrum, tables[gas].series(p), {}, gain_of(gas, sum));
    }
  }

  /// Adds gain − loss of each gas to q. Overwrites the half spectra.
  /// @param gain  [nodes] overwritten
  void finish(const std::array<const Real*, 2>& f, const PairMemory& memory, Real* gain,
              const std::array<Real*, 2>& q) const {
    for (std::size_t gas = 0; gas < 2; ++gas) {
      Real* loss = memory.gas[gas].work;
      Spectra::transform_back(gain_of(gas, memory.gain), memory.gas[1 - gas].half, tables[gas].loss, gain, loss);
      for (std::int64_t i = 0; i < setup.grid.node_count(); ++i) q[gas][i] += gain[i] - f[gas][i] * loss[i];
    }
  }

  /// Σ_n s_n f₁(c + a₂ρn) f₂(c − a₁ρn)
  void sum_products(const PairMemory& memory, double radius, Complex* buffer, Real* sum) const {
    const int n = setup.n();
    const auto *first = reinterpret_cast<const Real*>(memory.gas[0].spectrum),
               *second = reinterpret_cast<const Real*>(memory.gas[1].spectrum);
    std::fill_n(sum, setup.grid.node_count(), Real(0));
    for (std::size_t k = 0; k < setup.directions.point.size(); ++k) {
      const double step = std::numbers::pi * radius / setup.grid.half_width;
      const ShiftPhases<Real> phases1(n, shares[1] * step, setup.directions.point[k]),
          phases2(n, -shares[0] * step, setup.directions.point[k]);
      const auto shift_plane = [&](int z, Complex* plane) {
        for (int y = 0; y < n; ++y) {
          const std::int64_t row = 2 * (static_cast<std::int64_t>(z) * n + y) * n;
          pack_shifted_rows(first + row, second + row, phases1.x, phases2.x, phases1.across(y, z), phases2.across(y, z),
                            n, reinterpret_cast<Real*>(plane + y * n));
        }
      };
      const auto weight = static_cast<Real>(setup.directions.weight[k]);
      const auto add_columns = [&](std::int64_t first_column, std::int64_t count, const Complex* columns) {
        add_cross_products(reinterpret_cast<const Real*>(columns), weight, n, count, n * n, sum + first_column);
      };
      inverse_by_planes(transform(), n, buffer, shift_plane, add_columns);
    }
  }
};

}  // namespace shoal::collision
