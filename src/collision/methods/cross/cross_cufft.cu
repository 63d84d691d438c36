// SPDX-License-Identifier: Apache-2.0
// cufft, spectral between two gases: one complex transform for each radius and direction, one real transform for each
// radius.
//
// idea           with h = IFFT[exp(i p₁) f̂₁ + i exp(i p₂) f̂₂] and p the phases of the shifts, f₁(c + a) f₂(c − b) = Re h Im h:
//                one transform for both gases. Both gains have the same products
// source         Gamba, Haack, Hauck and Hu (2017), for molecules of two masses; the packing is our own
// memory         256 MiB of transforms, at least those of one radius; 12 n values for each radius and direction. For n without
//                kernels of our own: 64 MiB, and as much for cuFFT
// atomics        none
// deterministic  yes: transforms of fixed size, radii and directions in order
// wins when      f is smooth, as cufft for one gas, at twice its cost: directions of the whole sphere
// loses when     f has jumps or must stay positive
// deviations     packed; published codes need two transforms and two back for each radius and direction
#include "collision/methods/methods.hpp"
#include "collision/mixture/cross_operator.hpp"
#include "collision/spectral/spectral_kernels.cuh"

namespace shoal::collision {

namespace {

/// exp(i p₁) f̂₁ + i exp(i p₂) f̂₂ of several shifts.
template <class Real>
struct PackedShifts {
  SpectrumLayout layout;
  const CufftComplex<Real>* spectra;        ///< [2][nodes] f̂ of the gases
  const CufftComplex<Real>* first_phases;   ///< [shifts][3][n] cosine and sine of the phases along the axes
  const CufftComplex<Real>* second_phases;  ///< likewise

  __device__ CufftComplex<Real> operator()(std::int64_t shift, int x, int y, int z) const {
    const CufftComplex<Real>* value = spectra + layout.index(x, y, z);
    const CufftComplex<Real> a = shifted(first_phases + shift * 3 * layout.n, value[0], x, y, z);
    const CufftComplex<Real> b = shifted(second_phases + shift * 3 * layout.n, value[layout.nodes()], x, y, z);
    return {a.x - b.y, a.y + b.x};
  }
  __device__ CufftComplex<Real> shifted(const CufftComplex<Real>* phase, CufftComplex<Real> value, int x, int y,
                                        int z) const {
    return product(product(phase[x], product(phase[layout.n + y], phase[2 * layout.n + z])), value);
  }
};

/// Sums of products over directions: Σ_n s_n Re h Im h.
template <class Real>
struct SumsOfCrossProducts : SumsAtNodes<Real> {
  const Real* weights;  ///< [directions] s_n

  __device__ void add(Real& total, std::int64_t, int k, CufftComplex<Real> h, int, int, int) const {
    total += weights[k] * (h.x * h.y);
  }
};

template <class Real>
struct CrossCufft : CrossOperator<Real> {
  using Complex = CufftComplex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumLayout layout;
  int directions, radii;
  int batch_radii;  ///< Radii in a batch.
  /// Tables of a gas.
  struct GasTables {
    Array<double> gain_factors;
    GainSeries series;  ///< F of the first radius; the coefficients of the others follow.
    Array<Complex> phases;
  };
  std::array<GasTables, 2> gas_tables;
  Array<double> loss_factors;
  Array<Real> weights;
  ForwardTransforms<Real> f_transforms, products_transforms;
  InverseTransforms<Real> shifted_transforms, q_transforms;

  CrossCufft(const MixtureSetup& mixture, Scratch& scratch_)
      : setup(mixture.unlike),
        scratch(scratch_),
        layout{setup.n()},
        directions(setup.directions.count()),
        radii(setup.options.radii),
        batch_radii(balanced_batch(radii, directions * layout.nodes() * static_cast<std::int64_t>(sizeof(Complex)),
                                   transform_bytes(layout.n))),
        f_transforms(scratch_.queue(), layout.n, 1),
        products_transforms(scratch_.queue(), layout.n, batch_radii),
        shifted_transforms(scratch_.queue(), layout.n, directions * batch_radii),
        q_transforms(scratch_.queue(), layout.n, 2) {
    for (std::size_t gas = 0; gas < 2; ++gas) make_tables(mixture.shares[1 - gas], gas);
    const Queue& queue = scratch.queue();
    const std::vector<Real> host_weights(setup.directions.weight.begin(), setup.directions.weight.end());
    weights = to_device(queue, host_weights);
    queue.wait();  // before the host's table is destroyed
  }

  void add(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q) override {
    const std::int64_t nodes = layout.nodes(), half_count = layout.half_count();
    ScratchFrame frame(scratch);
    Complex* spectra = frame.array<Complex>(2 * nodes).data;
    Complex* gains = frame.array<Complex>(2 * half_count).data;
    Complex* losses = frame.array<Complex>(2 * half_count).data;
    for (std::int64_t gas = 0; gas < 2; ++gas)
      f_transforms.run(
          scratch, 1, 1, NodeValues<Real>{layout, f[static_cast<std::size_t>(gas)]},
          SpectraOfCells<Real>{layout, loss_factors.data(), spectra + gas * nodes, losses + (1 - gas) * half_count});
    for (int first = 0; first < radii; first += batch_radii) add_radii(spectra, first, gains);
    for (std::int64_t gas = 0; gas < 2; ++gas) {
      const auto number = static_cast<std::size_t>(gas);
      q_transforms.run(scratch, 1, 2,
                       SpectraOfGainAndLoss<Real>{layout, gains + gas * half_count, losses + gas * half_count},
                       GainMinusLoss<Real>{{layout, q[number], false}, f[number]});
    }
  }

 private:
  /// @param partner_share  share of the partners in the mass of a pair
  void make_tables(double partner_share, std::size_t gas) {
    const Queue& queue = scratch.queue();
    const SpectralTables tables(setup, partner_share);
    const std::vector<double> gain = tables.gain_of_all_radii();
    const double sign = gas == 0 ? 1 : -1;
    const std::vector<Complex> phases = shift_phases<Real>(setup, tables, sign * partner_share);
    gas_tables[gas].gain_factors = to_device(queue, gain);
    gas_tables[gas].series = {gas_tables[gas].gain_factors.data(), tables.terms, tables.squares()};
    gas_tables[gas].phases = to_device(queue, phases);
    loss_factors = to_device(queue, tables.loss);  // the same for both gases
    queue.wait();                                  // before the host's tables are destroyed
  }

  /// Adds the half spectra of both gains of the radii of a batch, which begins with the radius `first`.
  /// @param spectra  [2][nodes]
  /// @param gains    [2][half_count] overwritten by the first batch
  void add_radii(const Complex* spectra, int first, Complex* gains) {
    const int count = std::min(batch_radii, radii - first);
    const std::int64_t half_count = layout.half_count();
    const std::int64_t first_phase = static_cast<std::int64_t>(first) * directions * 3 * layout.n;
    ScratchFrame frame(scratch);
    Real* products = frame.array<Real>(count * layout.nodes()).data;
    Complex* of_radii = frame.array<Complex>(count * half_count).data;
    shifted_transforms.run(scratch, count, directions,
                           PackedShifts<Real>{layout, spectra, gas_tables[0].phases.data() + first_phase,
                                              gas_tables[1].phases.data() + first_phase},
                           SumsOfCrossProducts<Real>{{layout, products, true}, weights.data()});
    for (std::int64_t gas = 0; gas < 2; ++gas) {
      GainSeries series = gas_tables[static_cast<std::size_t>(gas)].series;
      series.coefficients += static_cast<std::int64_t>(first) * series.terms * series.squares;
      products_transforms.run(scratch, count, 1, NodeValues<Real>{layout, products},
                              GainOfRadii<Real>{layout, series, nullptr, count, of_radii});
      launch(scratch.queue(), half_count, sum_radii<Real>, layout, 1, count, of_radii, first == 0,
             gains + gas * half_count);
    }
  }
};

}  // namespace

const CrossFactory cross_cufft_cuda = cross_factory<CrossCufft>();

}  // namespace shoal::collision
