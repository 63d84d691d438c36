// SPDX-License-Identifier: Apache-2.0
// Parts of the transforms of spectral methods on CUDA, and their tables, for collisions in one gas or between two.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/fourier/summed_transforms.cuh"
#include "collision/spectral/spectral_item.hpp"

namespace shoal::collision {

/// Takes the half spectra of f as whole scaled ones, and those of the loss, without wave numbers that have no sign.
template <class Real>
struct SpectraOfCells {
  using Total = CufftComplex<Real>;
  SpectrumLayout layout;
  const double* loss_factors;    ///< [|k|²]
  CufftComplex<Real>* spectrum;  ///< [cells][nodes] f̂
  CufftComplex<Real>* loss;      ///< [cells][half_count]

  __device__ void add(Total& total, std::int64_t, int, CufftComplex<Real> h, int, int, int) const { total = h; }
  __device__ void store(std::int64_t cell, int x, int y, int z, Total total) const {
    const Real scale = layout.scale<Real>(x, y, z);
    const CufftComplex<Real> value = {scale * total.x, scale * total.y};
    CufftComplex<Real>* of_cell = spectrum + cell * layout.nodes();
    of_cell[layout.index(x, y, z)] = value;
    if (x > 0 && 2 * x < layout.n)
      of_cell[layout.index(layout.opposite(x), layout.opposite(y), layout.opposite(z))] = {value.x, -value.y};
    const auto factor = static_cast<Real>(loss_factors[WaveNumbers{layout.n}.square(x, y, z)]);
    loss[cell * layout.half_count() + layout.half_index(x, y, z)] = {factor * value.x, factor * value.y};
  }
};

/// Sums F P̂ over the sums of each radius.
template <class Real>
struct GainOfRadii {
  using Total = CufftComplex<Real>;
  SpectrumLayout layout;
  GainSeries series;         ///< F of the first radius; the coefficients of the others follow.
  const double* directions;  ///< [sums of a radius][3] of the products of a sum, if F depends on them
  int radii;
  CufftComplex<Real>* gain;  ///< [cells][radii][half_count]

  __device__ void add(Total& total, std::int64_t number, int k, CufftComplex<Real> h, int x, int y, int z) const {
    const WaveNumbers waves{layout.n};
    GainSeries of_radius = series;
    of_radius.coefficients += number % radii * series.terms * series.squares;
    const double along = series.terms == 1 ? 0 : waves.along(directions + 3 * k, x, y, z);
    const auto weight = static_cast<Real>(of_radius(waves.square(x, y, z), along));
    total = {total.x + weight * h.x, total.y + weight * h.y};
  }
  __device__ void store(std::int64_t number, int x, int y, int z, Total total) const {
    gain[number * layout.half_count() + layout.half_index(x, y, z)] = total;
  }
};

/// Sums the gain over radii, scaled. This is no part of GainOfRadii, because a cell alone then has more blocks.
/// @param of_radii  [cells][radii][half_count]
/// @param gain      [cells][half_count] overwritten, or the sum is added
template <class Real>
__global__ void sum_radii(SpectrumLayout layout, std::int64_t cells, int radii, const CufftComplex<Real>* of_radii,
                          bool overwrite, CufftComplex<Real>* gain) {
  const std::int64_t half_count = layout.half_count(), cell = thread_index() / half_count;
  if (cell >= cells) return;
  const auto i = static_cast<int>(thread_index() - cell * half_count);
  const int across = layout.across(), n = layout.n;
  of_radii += cell * radii * half_count + i;
  CufftComplex<Real> total = {0, 0};
  for (int p = 0; p < radii; ++p) total = sum(total, of_radii[p * half_count]);
  const Real scale = layout.scale<Real>(i % across, i / across % n, i / across / n);
  const CufftComplex<Real> scaled = {scale * total.x, scale * total.y};
  gain[thread_index()] = overwrite ? scaled : sum(gain[thread_index()], scaled);
}

/// Spectra of gain and loss. They are not packed into one transform, because the loss is much larger and its rounding would
/// reach the gain.
template <class Real>
struct SpectraOfGainAndLoss {
  SpectrumLayout layout;
  const CufftComplex<Real>* gain;  ///< [cells][half_count]
  const CufftComplex<Real>* loss;  ///< [cells][half_count]

  __device__ CufftComplex<Real> operator()(std::int64_t transform, int x, int y, int z) const {
    const CufftComplex<Real>* half = transform % 2 == 0 ? gain : loss;
    return whole_spectrum(layout, half + transform / 2 * layout.half_count(), x, y, z);
  }
};

/// gain − f loss, from the transforms of gain and loss.
template <class Real>
struct GainMinusLoss : SumsAtNodes<Real> {
  const Real* f;  ///< [cells][nodes]

  __device__ void add(Real& total, std::int64_t cell, int k, CufftComplex<Real> h, int x, int y, int z) const {
    total = k == 0 ? h.x : total - f[this->index(cell, x, y, z)] * h.x;
  }
};

/// Cosines and sines of the phases by which f is shifted along the axes, for all radii and directions.
/// @param share  distance of the shift / radius
/// @return       [radii][directions][3][n]
template <class Real>
std::vector<CufftComplex<Real>> shift_phases(const CollisionSetup& setup, const SpectralTables& tables, double share) {
  const WaveNumbers waves{setup.n()};
  std::vector<CufftComplex<Real>> phases;
  for (const QuadraturePoint& radius : tables.radii)
    for (const auto& e : setup.directions.point)
      for (const double component : e)
        for (int k = 0; k < setup.n(); ++k) {
          const double phase =
              std::numbers::pi * share * radius.x / setup.grid.half_width * component * waves.signed_number(k);
          phases.push_back({static_cast<Real>(std::cos(phase)), static_cast<Real>(std::sin(phase))});
        }
  return phases;
}

}  // namespace shoal::collision
