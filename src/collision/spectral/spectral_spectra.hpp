// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/spectral/gain_series_item.hpp"

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

/// Spectra of distributions, gain and loss on the CPU, for collisions in one gas or between two.
/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
struct SpectralSpectra {
  using Complex = std::complex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  FourierSpectrum<Real, Transform> spectra;

  SpectralSpectra(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), spectra(setup_.n()) {}

  /// Arrays of a gas in a cell.
  struct GasMemory {
    Real* work;         ///< [nodes]
    Complex* half;      ///< [half_count] half spectrum of f
    Complex* spectrum;  ///< [nodes] spectrum of f
  };
  /// Arrays of a thread.
  struct ThreadMemory {
    Complex* buffer;             ///< [planes_count(n)]
    Real* products;              ///< [nodes] products of shifted distributions, summed over directions
    Complex* products_spectrum;  ///< [half_count]
  };

  const Transform& transform() const { return spectra.transform(); }

  GasMemory gas_memory(ScratchFrame& frame) const {
    const std::int64_t nodes = setup.grid.node_count();
    return {frame.array<Real>(nodes).data, frame.array<Complex>(transform().half_count()).data,
            frame.array<Complex>(nodes).data};
  }
  ThreadMemory thread_memory(ScratchFrame& frame) const {
    return {frame.array<Complex>(planes_count(setup.n())).data, frame.array<Real>(setup.grid.node_count()).data,
            frame.array<Complex>(transform().half_count()).data};
  }
  /// Memory of each thread of the queue.
  std::vector<ThreadMemory> thread_memories(ScratchFrame& frame) const {
    std::vector<ThreadMemory> memories;
    for (int thread = 0; thread < scratch.queue().threads(); ++thread) memories.push_back(thread_memory(frame));
    return memories;
  }

  /// Number of real values of the gain's half spectrum.
  std::int64_t gain_count() const { return 2 * transform().half_count(); }

  void find_spectrum(const Real* f, const GasMemory& memory) const {
    spectra.half_spectrum(f, memory.work, memory.half);
    spectra.complete(memory.half, memory.spectrum);
  }

  /// sum += F × products
  /// @param direction  of the products, if F depends on it
  void add_spectrum(const Complex* products, const GainSeries& factor, const std::array<double, 3>& direction,
                    Complex* sum) const {
    const WaveNumbers waves{setup.n()};
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      sum[i] += static_cast<Real>(factor(waves.square(x, y, z), waves.along(direction.data(), x, y, z))) * products[i];
    });
  }

  /// Transforms gain and loss back. Overwrites the half spectra.
  /// @param gain_half   [half_count] half spectrum of the gain, not scaled
  /// @param loss_half   [half_count] half spectrum of the distribution of the partners
  /// @param factor      loss factors by |k|²
  /// @param gain, loss  [nodes] overwritten; the loss for f = 1
  void transform_back(Complex* gain_half, Complex* loss_half, const std::vector<double>& factor, Real* gain,
                      Real* loss) const {
    const std::int64_t nodes = setup.grid.node_count();
    spectra.for_each_of_half([&](std::int64_t i, int x, int y, int z) {
      const bool left_out = WaveNumbers{setup.n()}.left_out(x, y, z);
      gain_half[i] *= left_out ? 0 : Real(1) / static_cast<Real>(nodes);
      loss_half[i] *= static_cast<Real>(factor[static_cast<std::size_t>(WaveNumbers{setup.n()}.square(x, y, z))]);
    });
    transform().from_spectrum(loss_half, loss);
    transform().from_spectrum(gain_half, gain);
  }
};

}  // namespace shoal::collision
