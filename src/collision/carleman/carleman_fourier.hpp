// SPDX-License-Identifier: Apache-2.0
// carleman on the CPU by any library of Fourier transforms; methods/carleman/carleman_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include "collision/carleman/carleman_tables.hpp"
#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/fourier/whole_cells.hpp"
#include "collision/setup/work_groups.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

/// sum[z][k] += weight Re h Im h for columns h[n][columns_at_once], of which `count` are used.
/// @param stride  values between the rows of `sum`
template <class Real>
SHOAL_CPU_VARIANTS void add_factor_products(const Real* h, Real weight, int n, std::int64_t count, std::int64_t stride,
                                            Real* sum) {
  for (int z = 0; z < n; ++z, h += 2 * columns_at_once, sum += stride)
    for (std::int64_t k = 0; k < count; ++k) sum[k] += weight * (h[2 * k] * h[2 * k + 1]);
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
    ScratchFrame frame(scratch);
    const CellMemory memory = cell_memory(frame);
    const std::int64_t stride = planes_count(setup.n());
    Complex* buffers = frame.array<Complex>(scratch.queue().threads() * stride).data;
    find_spectrum(f, memory);
    sum_work_groups(setup, scratch, setup.grid.node_count(), q, [&](int group, Real* sum) {
      add_gain(group, memory.spectrum, buffers + omp_get_thread_num() * stride, sum);
    });
    subtract_loss(f, memory, q);
  }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    if (!are_whole_cells(setup, scratch.queue(), cells))
      return CollisionOperator<Real>::evaluate_cells(f, q, cells, nodes);
    struct ThreadMemory {
      CellMemory cell;
      Complex* buffer;
      Real* group_sum;
    };
    ScratchFrame frame(scratch);
    const auto make_memory = [&] {
      return ThreadMemory{cell_memory(frame), frame.array<Complex>(planes_count(setup.n())).data,
                          frame.array<Real>(nodes).data};
    };
    for_each_whole_cell(scratch.queue(), cells, make_memory, [&](std::int64_t cell, const ThreadMemory& memory) {
      const Real* cell_f = f + cell * nodes;
      Real* cell_q = q + cell * nodes;
      find_spectrum(cell_f, memory.cell);
      sum_work_groups_on_thread(nodes, memory.group_sum, cell_q, [&](int group, Real* sum) {
        add_gain(group, memory.cell.spectrum, memory.buffer, sum);
      });
      subtract_loss(cell_f, memory.cell, cell_q);
    });
  }

 private:
  /// Arrays of a cell.
  struct CellMemory {
    Real* work;         ///< [nodes]
    Complex* half;      ///< [half_count] half spectrum of f
    Complex* spectrum;  ///< [nodes] spectrum of f
  };

  CellMemory cell_memory(ScratchFrame& frame) const {
    const std::int64_t nodes = setup.grid.node_count();
    return {frame.array<Real>(nodes).data, frame.array<Complex>(spectra.transform().half_count()).data,
            frame.array<Complex>(nodes).data};
  }

  void find_spectrum(const Real* f, const CellMemory& memory) const {
    spectra.half_spectrum(f, memory.work, memory.half);
    spectra.complete(memory.half, memory.spectrum);
  }

  /// Adds the gain of the directions of a work group.
  /// @param buffer  [planes_count(n)] overwritten
  void add_gain(int group, const Complex* spectrum, Complex* buffer, Real* sum) const {
    const int n = setup.n();
    const std::int64_t plane_count = static_cast<std::int64_t>(n) * n;
    for (std::size_t e = static_cast<std::size_t>(group); e < setup.directions.point.size(); e += work_groups) {
      const Complex* kernel = direction_factors(e);
      const auto multiply_plane = [&](int z, Complex* plane) {
        for (std::int64_t i = 0, at = z * plane_count; i < plane_count; ++i, ++at)
          plane[i] = multiply(spectrum[at], kernel[at]);
      };
      const auto add_columns = [&](std::int64_t first, std::int64_t count, const Complex* columns) {
        add_factor_products(reinterpret_cast<const Real*>(columns), tables.weights[e], n, count, plane_count,
                            sum + first);
      };
      inverse_by_planes(spectra.transform(), n, buffer, multiply_plane, add_columns);
    }
  }

  /// q −= f IFFT[f̂ Σ φ ψ]. Overwrites the half spectrum.
  void subtract_loss(const Real* f, const CellMemory& memory, Real* q) const {
    const Complex* loss = direction_factors(setup.directions.point.size());
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      memory.half[i] *= loss[(z * setup.n() + y) * setup.n() + x].real();
    });
    spectra.transform().from_spectrum(memory.half, memory.work);
    for (std::int64_t i = 0; i < setup.grid.node_count(); ++i) q[i] -= f[i] * memory.work[i];
  }

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
