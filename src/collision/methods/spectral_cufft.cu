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
#include <numbers>

#include "collision/fourier/summed_transforms.cuh"
#include "collision/methods/methods.hpp"
#include "collision/ranks/rank_batches.hpp"
#include "collision/spectral/spectral_item.hpp"

namespace shoal::collision {

namespace {

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
struct SumsOfProducts {
  using Total = Real;
  SpectrumLayout layout;
  const Real* weights;  ///< [sums_of_radius][directions] s_n
  int directions;       ///< Directions of a sum.
  int sums_of_radius;
  Real* products;  ///< [sums][nodes]

  __device__ void add(Real& total, std::int64_t sum, int k, CufftComplex<Real> h, int, int, int) const {
    total += weights[sum % sums_of_radius * directions + k] * (h.x * h.x - h.y * h.y);
  }
  __device__ void store(std::int64_t sum, int x, int y, int z, Real total) const {
    products[sum * layout.nodes() + layout.index(x, y, z)] = total;
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
    const auto weight = static_cast<Real>(of_radius(waves.square(x, y, z), waves.along(directions + 3 * k, x, y, z)));
    total = {total.x + weight * h.x, total.y + weight * h.y};
  }
  __device__ void store(std::int64_t number, int x, int y, int z, Total total) const {
    gain[number * layout.half_count() + layout.half_index(x, y, z)] = total;
  }
};

/// Sums the gain over radii, scaled. This is no part of GainOfRadii, because a cell alone then has more blocks.
/// @param of_radii  [cells][radii][half_count]
/// @param gain      [cells][half_count] overwritten
template <class Real>
__global__ void sum_radii(SpectrumLayout layout, std::int64_t cells, int radii, const CufftComplex<Real>* of_radii,
                          CufftComplex<Real>* gain) {
  const std::int64_t half_count = layout.half_count(), cell = thread_index() / half_count;
  if (cell >= cells) return;
  const auto i = static_cast<int>(thread_index() - cell * half_count);
  const int across = layout.across(), n = layout.n;
  of_radii += cell * radii * half_count + i;
  CufftComplex<Real> total = {0, 0};
  for (int p = 0; p < radii; ++p) total = sum(total, of_radii[p * half_count]);
  const Real scale = layout.scale<Real>(i % across, i / across % n, i / across / n);
  gain[thread_index()] = {scale * total.x, scale * total.y};
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

/// q = gain − f loss, from the transforms of gain and loss.
template <class Real>
struct GainMinusLoss {
  using Total = Real;
  SpectrumLayout layout;
  const Real* f;  ///< [cells][nodes]
  Real* q;        ///< [cells][nodes]

  __device__ void add(Real& total, std::int64_t cell, int k, CufftComplex<Real> h, int x, int y, int z) const {
    total = k == 0 ? h.x : total - f[index(cell, x, y, z)] * h.x;
  }
  __device__ void store(std::int64_t cell, int x, int y, int z, Real total) const { q[index(cell, x, y, z)] = total; }
  __device__ std::int64_t index(std::int64_t cell, int x, int y, int z) const {
    return cell * layout.nodes() + layout.index(x, y, z);
  }
};

/// gain += that of a batch; the first batch overwrites it.
template <class Real>
__global__ void add_batch(BatchPart<CufftComplex<Real>> batch, bool first, CufftComplex<Real>* gain) {
  const std::int64_t number = thread_index(), i = batch.part.begin + number;
  if (number >= batch.part.count()) return;
  const CufftComplex<Real> value = batch.values[number];
  gain[i] = first ? value : sum(gain[i], value);
}

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
    std::vector<double> gain, components;
    for (const std::vector<double>& radius_gain : tables.gain)
      gain.insert(gain.end(), radius_gain.begin(), radius_gain.end());
    for (const auto& n : setup.directions.point) components.insert(components.end(), n.begin(), n.end());
    const std::vector<Complex> host_phases = axis_phases(tables);
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

  std::vector<Complex> axis_phases(const SpectralTables& tables) const {
    const WaveNumbers waves{setup.n()};
    std::vector<Complex> phase_factors;
    for (const QuadraturePoint& radius : tables.radii)
      for (const auto& e : setup.directions.point)
        for (const double component : e)
          for (int k = 0; k < setup.n(); ++k) {
            const double phase =
                std::numbers::pi * radius.x / (2 * setup.grid.half_width) * component * waves.signed_number(k);
            phase_factors.push_back({static_cast<Real>(std::cos(phase)), static_cast<Real>(std::sin(phase))});
          }
    return phase_factors;
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
            launch(scratch.queue(), of_batch.part.count(), add_batch<Real>, of_batch, batch == 0, gain);
          });
    }
    q_transforms.run(scratch, cells, 2, SpectraOfGainAndLoss<Real>{layout, gain, loss},
                     GainMinusLoss<Real>{layout, f, q});
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
                           SumsOfProducts<Real>{layout, weights.data(), sum_directions, sums, products});
    GainSeries series_of_batch = series;
    series_of_batch.coefficients += static_cast<std::int64_t>(first) * series.terms * series.squares;
    Complex* of_radii = frame.array<Complex>(cells * count * layout.half_count()).data;
    products_transforms.run(scratch, cells * count, sums, NodeValues<Real>{layout, products},
                            GainOfRadii<Real>{layout, series_of_batch, points.data(), count, of_radii});
    launch(scratch.queue(), cells * layout.half_count(), sum_radii<Real>, layout, cells, count, of_radii, gain);
  }
};

}  // namespace

const OperatorFactory spectral_cufft_cuda = operator_factory<SpectralCufft>();

}  // namespace shoal::collision
