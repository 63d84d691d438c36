// SPDX-License-Identifier: Apache-2.0
// cufft, spectral: one complex transform for each radius and direction, one real transform for each radius.
//
// idea           with h = IFFT[(cos p + sin p) f̂] and p the phase of the shift, f(v + a) f(v − a) = (Re h)² − (Im h)²:
//                one transform for both shifted distributions. With isotropic scattering F does not depend on the
//                direction, so the products are summed over directions, in registers, before the transform back; vss
//                needs a real transform back for each direction
// source         Gamba, Haack, Hauck and Hu (2017); the packing is our own
// memory         256 MiB of transforms, at least those of one radius; 3 values per node and sum of a batch; 6 n values for
//                each radius and direction. For n without kernels of our own: 64 MiB, and as much for cuFFT
// atomics        none
// deterministic  yes: transforms of fixed size, radii and directions in order; a cell does not depend on others
// wins when      f is smooth: errors fall faster than any power of the spacing
// loses when     f has jumps or must stay positive; carleman is faster where its kernels are accurate enough
// deviations     common n have kernels of our own, plane_transforms.cuh; small cells share a batch; packed, published codes
//                need two transforms and one back for each radius and direction
#include "collision/methods/methods.hpp"
#include "collision/ranks/batch_sums.cuh"
#include "collision/spectral/spectral_kernels.cuh"

namespace shoal::collision {

namespace {

/// (cos p + sin p) f̂ of the shifts of several cells.
template <class Real>
struct ShiftedSpectra {
  SpectrumLayout layout;
  int shifts;                          ///< Shifts of a cell.
  const CufftComplex<Real>* spectrum;  ///< [cells][nodes] f̂
  const CufftComplex<Real>* phases;    ///< [shifts][3][n] cosine and sine of the phases along the axes

  __device__ CufftComplex<Real> operator()(std::int64_t transform, int x, int y, int z) const {
    const int n = layout.n;
    const std::int64_t cell = transform / shifts;
    const CufftComplex<Real>* phase = phases + (transform - cell * shifts) * 3 * n;
    const CufftComplex<Real> px = phase[x], pyz = product(phase[n + y], phase[2 * n + z]);
    const Real factor = (pyz.x + pyz.y) * px.x + (pyz.x - pyz.y) * px.y;
    const CufftComplex<Real> value = spectrum[cell * layout.nodes() + layout.index(x, y, z)];
    return {factor * value.x, factor * value.y};
  }
};

/// Sums of products over directions: Σ_n s_n ((Re h)² − (Im h)²).
template <class Real>
struct SumsOfProducts : SumsAtNodes<Real> {
  const Real* weights;  ///< [sums_of_radius][directions] s_n
  int directions;       ///< Directions of a sum.
  int sums_of_radius;

  __device__ void add(Real& total, std::int64_t sum, int k, CufftComplex<Real> h, int, int, int) const {
    total += weights[sum % sums_of_radius * directions + k] * (h.x * h.x - h.y * h.y);
  }
};

template <class Real>
struct SpectralCufft : CollisionOperator<Real> {
  using Complex = CufftComplex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumLayout layout;
  int directions, radii;
  int batch_radii;  ///< Radii in a batch.
  int batch_cells;  ///< Cells in a batch of all radii. A batch with fewer is transformed whole, so that bits stay the same.
  int sums;         ///< Sums of products of a radius.
  GainSeries series;  ///< F of the first radius; the coefficients of the others follow.
  Array<double> gain_factors, loss_factors, points;
  Array<Complex> phases;
  Array<Real> weights;
  ForwardTransforms<Real> f_transforms, products_transforms;
  InverseTransforms<Real> shifted_transforms, q_transforms;

  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_)
      : SpectralCufft(setup_, scratch_, SpectralTables(setup_)) {}

  void evaluate(const Real* f, Real* q) override { evaluate_cells(f, q, 1, layout.nodes()); }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    for (std::int64_t first = 0; first < cells; first += batch_cells)
      evaluate_batch(f + first * nodes, q + first * nodes, std::min<std::int64_t>(batch_cells, cells - first));
  }

 private:
  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_, const SpectralTables& tables)
      : setup(setup_),
        scratch(scratch_),
        layout{setup_.n()},
        directions(setup_.directions.count()),
        radii(setup_.options.radii),
        batch_radii(balanced_batch(radii, radius_bytes(), transform_bytes(layout.n))),
        batch_cells(cells_of_batch()),
        sums(tables.sums(setup_.directions)),
        f_transforms(scratch_.queue(), layout.n, batch_cells),
        products_transforms(scratch_.queue(), layout.n, batch_cells * batch_radii * sums),
        shifted_transforms(scratch_.queue(), layout.n, batch_cells * batch_radii * directions),
        q_transforms(scratch_.queue(), layout.n, 2 * batch_cells) {
    const Queue& queue = scratch.queue();
    const std::vector<double> gain = tables.gain_of_all_radii();
    std::vector<double> components;
    for (const auto& n : setup.directions.point) components.insert(components.end(), n.begin(), n.end());
    const std::vector<Complex> host_phases = shift_phases<Real>(setup, tables, 0.5);
    const std::vector<Real> host_weights(setup.directions.weight.begin(), setup.directions.weight.end());
    gain_factors = to_device(queue, gain);
    loss_factors = to_device(queue, tables.loss);
    points = to_device(queue, components);
    phases = to_device(queue, host_phases);
    weights = to_device(queue, host_weights);
    series = {gain_factors.data(), tables.terms, tables.squares()};
    queue.wait();  // before the host's tables are destroyed
  }

  /// Size of the transforms of a radius.
  std::int64_t radius_bytes() const { return directions * layout.nodes() * static_cast<std::int64_t>(sizeof(Complex)); }

  /// Number of cells that share launches: several if a batch has all radii of one.
  int cells_of_batch() const {
    const std::int64_t cells = transform_bytes(layout.n) / (radii * radius_bytes());
    return batch_radii < radii ? 1 : static_cast<int>(std::max<std::int64_t>(1, cells));
  }

  void evaluate_batch(const Real* f, Real* q, std::int64_t cells) {
    const std::int64_t half_count = layout.half_count();
    ScratchFrame frame(scratch);
    Complex* spectrum = frame.array<Complex>(batch_cells * layout.nodes()).data;
    Complex* loss = frame.array<Complex>(batch_cells * half_count).data;
    Complex* gain = frame.array<Complex>(batch_cells * half_count).data;
    f_transforms.run(scratch, cells, 1, NodeValues<Real>{layout, f},
                     SpectraOfCells<Real>{layout, loss_factors.data(), spectrum, loss});
    const int batches = (radii + batch_radii - 1) / batch_radii;
    if (batches == 1) {  // nothing to share: every rank computes it
      find_gain(spectrum, cells, 0, gain);
    } else {
      add_batches(
          setup, scratch, batches, 1, half_count, gain,
          [&](int batch, Complex* of_batch) { find_gain(spectrum, cells, batch * batch_radii, of_batch); },
          [&](int batch, const BatchPart<Complex>& of_batch) {
            launch(scratch.queue(), of_batch.part.count(), add_batch<Complex>, of_batch, batch == 0, gain);
          });
    }
    q_transforms.run(scratch, cells, 2, SpectraOfGainAndLoss<Real>{layout, gain, loss},
                     GainMinusLoss<Real>{{layout, q, true}, f});
  }

  /// Computes the gain of the radii of the batch that begins with the radius `first`.
  /// @param gain  [cells][half_count] overwritten
  void find_gain(const Complex* spectrum, std::int64_t cells, int first, Complex* gain) {
    const int count = std::min(batch_radii, radii - first), sum_directions = directions / sums;
    ScratchFrame frame(scratch);
    Real* products = frame.array<Real>(cells * count * sums * layout.nodes()).data;
    const ShiftedSpectra<Real> shifted{layout, count * directions, spectrum,
                                       phases.data() + static_cast<std::int64_t>(first) * directions * 3 * layout.n};
    shifted_transforms.run(scratch, cells * count * sums, sum_directions, shifted,
                           SumsOfProducts<Real>{{layout, products, true}, weights.data(), sum_directions, sums});
    GainSeries series_of_batch = series;
    series_of_batch.coefficients += static_cast<std::int64_t>(first) * series.terms * series.squares;
    Complex* of_radii = frame.array<Complex>(cells * count * layout.half_count()).data;
    products_transforms.run(scratch, cells * count, sums, NodeValues<Real>{layout, products},
                            GainOfRadii<Real>{layout, series_of_batch, points.data(), count, of_radii});
    launch(scratch.queue(), cells * layout.half_count(), sum_radii<Real>, layout, cells, count, of_radii, true, gain);
  }
};

}  // namespace

const OperatorFactory spectral_cufft_cuda = operator_factory<SpectralCufft>();

}  // namespace shoal::collision
