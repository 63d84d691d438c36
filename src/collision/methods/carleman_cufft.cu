// SPDX-License-Identifier: Apache-2.0
// cufft, carleman: one complex transform for each direction, and one for the loss.
//
// idea           both factors of a direction are real: the real part of IFFT[f̂ (φ + i ψ)] is IFFT[f̂ φ], the imaginary
//                part IFFT[f̂ ψ]. Both are even, so half a spectrum and half a table give both halves of the product
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013); the packing is our own
// memory         M + 1 values per node for φ and ψ; 64 MiB of transforms, at least one, and as much for cuFFT
// atomics        none
// deterministic  yes: cuFFT plans of fixed size, directions and batches in order; a cell does not depend on others
// wins when      molecules are hard spheres, or only their viscosity matters: no sum over radii
// loses when     molecules are others and their angular distribution matters: only the viscosity is right
// deviations     any direction set; two real factors packed into one transform; small cells share a batch
#include "collision/carleman/carleman_tables.hpp"
#include "collision/fourier/cufft_spectrum.cuh"
#include "collision/methods/methods.hpp"
#include "collision/ranks/rank_batches.hpp"

namespace shoal::collision {

namespace {

/// Multiplies f̂ by several factors and expands the products to full spectra: the factors are even, f̂ is Hermitian.
/// @param half      [cells][half_count] unscaled spectrum of f
/// @param factors   [count][half_count]
/// @param products  [cells][batch][nodes] the first `count` of each cell are overwritten
template <class Real>
__global__ void multiply_spectrum(SpectrumLayout layout, const CufftComplex<Real>* __restrict__ half,
                                  const CufftComplex<Real>* __restrict__ factors, int count, int batch,
                                  std::int64_t cells, CufftComplex<Real>* __restrict__ products) {
  const std::int64_t half_count = layout.half_count(), cell = thread_index() / half_count;
  if (cell >= cells) return;
  const int n = layout.n, across = layout.across();
  const auto i = static_cast<int>(thread_index() - cell * half_count);
  const int x = i % across, y = i / across % n, z = i / across / n;
  const bool has_opposite = x > 0 && 2 * x < n;  // else the opposite is in the half, too
  const std::int64_t opposite = layout.index(layout.opposite(x), layout.opposite(y), layout.opposite(z));
  const Real scale = layout.scale<Real>(x, y, z);
  const CufftComplex<Real> unscaled = half[thread_index()];
  const CufftComplex<Real> value = {scale * unscaled.x, scale * unscaled.y};
  products += cell * batch * layout.nodes();
#pragma unroll 4
  for (int k = 0; k < count; ++k, products += layout.nodes()) {
    const CufftComplex<Real> factor = factors[k * half_count + i];
    const Real xx = value.x * factor.x, yy = value.y * factor.y, xy = value.x * factor.y, yx = value.y * factor.x;
    products[layout.index(x, y, z)] = {xx - yy, xy + yx};
    if (has_opposite) products[opposite] = {xx + yy, xy - yx};
  }
}

/// Sums s Re h Im h over directions. For the loss, which follows the directions, the sum has −f Re h.
/// @param products  [cells][batch][nodes] h; the first `count` of each cell belong to the directions from `first` on
/// @param q         [cells][nodes] overwritten with the sum, or the sum is added to it
template <class Real>
__global__ void sum_products(std::int64_t nodes, const CufftComplex<Real>* products, const Real* weights,
                             int directions, int first, int count, int batch, std::int64_t cells, const Real* f,
                             bool overwrite, Real* q) {
  const std::int64_t i = thread_index(), cell = i / nodes;
  if (cell >= cells) return;
  products += cell * batch * nodes + (i - cell * nodes);
  Real sum = 0;
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    const CufftComplex<Real> h = products[k * nodes];
    sum += first + k < directions ? weights[first + k] * (h.x * h.y) : -f[i] * h.x;
  }
  q[i] = overwrite ? sum : q[i] + sum;
}

/// q += a part of the sum of a batch; the first batch overwrites q.
template <class Real>
__global__ void add_batch(BatchPart<Real> batch, bool first, Real* q) {
  const std::int64_t number = thread_index(), i = batch.part.begin + number;
  if (number < batch.part.count()) q[i] = first ? batch.values[number] : q[i] + batch.values[number];
}

template <class Real>
struct CarlemanCufft : CollisionOperator<Real> {
  using Complex = CufftComplex<Real>;
  using Transform = Cufft<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumLayout layout;
  int directions;
  int batch;        ///< Transforms of a cell in a batch.
  int batch_cells;  ///< Cells in a batch. A batch with fewer cells is transformed whole, so that bits stay the same.
  CufftPlan to_spectrum_plan, products_plan;
  Array<std::complex<Real>> factors;
  Array<Real> weights;

  CarlemanCufft(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        layout{setup_.n()},
        directions(setup.directions.count()),
        batch(balanced_batch(directions + 1, bytes())),
        batch_cells(cells_of_batch(batch * bytes())),
        to_spectrum_plan(scratch_.queue(), layout.n, Transform::to_spectrum_type, batch_cells),
        products_plan(scratch_.queue(), layout.n, Transform::complex_type, batch_cells * batch) {
    const CarlemanTables<Real> tables(setup, layout.across(), scratch.queue().threads());
    factors = to_device(scratch.queue(), tables.factors);
    weights = to_device(scratch.queue(), tables.weights);
    scratch.queue().wait();  // before the host's tables are destroyed
  }

  void evaluate(const Real* f, Real* q) override { evaluate_cells(f, q, 1, layout.nodes()); }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    for (std::int64_t first = 0; first < cells; first += batch_cells)
      evaluate_batch(f + first * nodes, q + first * nodes, std::min<std::int64_t>(batch_cells, cells - first));
  }

 private:
  /// Size of a transform.
  std::int64_t bytes() const { return layout.nodes() * static_cast<std::int64_t>(sizeof(Complex)); }

  /// Number of cells that occupy the device: 16 MiB.
  /// @param bytes  size of the transforms of a cell
  static int cells_of_batch(std::int64_t bytes) {
    return static_cast<int>(std::max<std::int64_t>(1, (16 << 20) / bytes));
  }

  void evaluate_batch(const Real* f, Real* q, std::int64_t cells) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = layout.nodes(), half_count = layout.half_count();
    ScratchFrame frame(scratch);
    Real* values = frame.array<Real>(batch_cells * nodes).data;
    Complex* half = frame.array<Complex>(batch_cells * half_count).data;
    Complex* products = frame.array<Complex>(batch_cells * batch * nodes).data;
    copy(queue, View<const Real>(f, cells * nodes, queue.device()), View<Real>(values, cells * nodes, queue.device()));
    cufft_check(Transform::to_spectrum(to_spectrum_plan.handle(), values, half), "transforms of f");
    const auto compute = [&](int number, bool overwrite, Real* sum) {
      const int first = number * batch, count = std::min(batch, directions + 1 - first);
      launch<128>(queue, cells * half_count, multiply_spectrum<Real>, layout, half,
                  reinterpret_cast<const Complex*>(factors.data()) + first * half_count, count, batch, cells, products);
      cufft_check(Transform::inverse(products_plan.handle(), products), "transforms of products");
      launch<128>(queue, cells * nodes, sum_products<Real>, nodes, products, weights.data(), directions, first, count,
                  batch, cells, f, overwrite, sum);
    };
    const int batches = directions / batch + 1;
    if (setup.ranks.size() == 1) {
      for (int number = 0; number < batches; ++number) compute(number, number == 0, q);
      return;
    }
    add_batches(
        setup, scratch, batches, 1, cells * nodes, q, [&](int number, Real* sum) { compute(number, true, sum); },
        [&](int number, const BatchPart<Real>& sum) {
          launch<128>(queue, sum.part.count(), add_batch<Real>, sum, number == 0, q);
        });
  }
};

}  // namespace

const OperatorFactory carleman_cufft_cuda = operator_factory<CarlemanCufft>();

}  // namespace shoal::collision
