// SPDX-License-Identifier: Apache-2.0
// cufft, carleman: one complex transform a direction, and one for the loss.
//
// idea           both factors of a direction are real: IFFT[f̂ (φ + i ψ)] has one as its real part, the other as its
//                imaginary part. Both are even, so half a spectrum and half a table make both halves of what is
//                transformed. The loss goes with the directions as one more
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013); the packing is shoal's
// memory         M + 1 numbers a node for φ and ψ; 64 MiB of transforms, or one if that is more, and as much for cuFFT
// atomics        none
// deterministic  yes: cuFFT's transforms with the same plans, directions in order; a cell does not know of the others
// wins when      molecules are hard spheres or Maxwell's: no sum over radii
// loses when     the angular distribution matters and the molecules are others: only their viscosity is right
// differs        any direction set; packed; several small cells share a batch
//
// budget         64³, 16 directions, double: 17 transforms of 4 MiB, written once, read once, and three times both in
//                between: 0.57 GB; the table is 37 MB: 0.15 ms at 4 TB/s, less where the L2 cache holds a batch
#include "collision/carleman/carleman_tables.hpp"
#include "collision/fourier/cufft_spectrum.cuh"
#include "collision/methods/methods.hpp"

namespace shoal {

namespace {

/// f̂ times some factors, whole spectra from their halves: factors are even, f̂ is conjugate.
/// @param half      [cells][half_count] of f, not scaled
/// @param factors   [count][half_count]
/// @param products  [cells][batch][nodes] of each cell the first `count` are written
template <class Real>
__global__ void multiply_spectrum(SpectrumPlaces places, const ComplexOf<Real>* __restrict__ half,
                                  const ComplexOf<Real>* __restrict__ factors, int count, int batch, std::int64_t cells,
                                  ComplexOf<Real>* __restrict__ products) {
  const std::int64_t half_count = places.half_count(), cell = thread_index() / half_count;
  if (cell >= cells) return;
  const int n = places.n, across = places.across();
  const auto i = static_cast<int>(thread_index() - cell * half_count);
  const int x = i % across, y = i / across % n, z = i / across / n;
  const bool has_opposite = x > 0 && 2 * x < n;  // else that is in the half, too
  const std::int64_t opposite = places.place(places.opposite(x), places.opposite(y), places.opposite(z));
  const Real scale = places.scale<Real>(x, y, z);
  const ComplexOf<Real> from = half[thread_index()];
  const ComplexOf<Real> value = {scale * from.x, scale * from.y};
  products += cell * batch * places.nodes();
#pragma unroll 4
  for (int k = 0; k < count; ++k, products += places.nodes()) {
    const ComplexOf<Real> factor = factors[k * half_count + i];
    const Real xx = value.x * factor.x, yy = value.y * factor.y, xy = value.x * factor.y, yx = value.y * factor.x;
    products[places.place(x, y, z)] = {xx - yy, xy + yx};
    if (has_opposite) products[opposite] = {xx + yy, xy - yx};
  }
}

/// q += Σ s Re h Im h; of the loss, which follows the directions, −f Re h.
/// @param products  [cells][batch][nodes] h, of each cell `count` from `first` on
template <class Real>
__global__ void add_products(std::int64_t nodes, const ComplexOf<Real>* products, const Real* weights, int directions,
                             int first, int count, int batch, std::int64_t cells, const Real* f, Real* q) {
  const std::int64_t i = thread_index(), cell = i / nodes;
  if (cell >= cells) return;
  products += cell * batch * nodes + (i - cell * nodes);
  Real sum = first == 0 ? Real(0) : q[i];
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    const ComplexOf<Real> h = products[k * nodes];
    sum += first + k < directions ? weights[first + k] * (h.x * h.y) : -f[i] * h.x;
  }
  q[i] = sum;
}

template <class Real>
struct CarlemanCufft : CollisionOperator<Real> {
  using Complex = ComplexOf<Real>;
  using Transform = Cufft<Real>;

  Scratch& scratch;
  SpectrumPlaces places;
  int directions;
  int batch;          ///< transforms of a cell at a time
  int cells_at_once;  ///< in a batch; its rest is transformed, too, if there are fewer, so that bits stay the same
  CufftPlan to_spectrum_plan, products_plan;
  Array<std::complex<Real>> factors;
  Array<Real> weights;

  CarlemanCufft(const CollisionSetup& setup, Scratch& scratch_)
      : scratch(scratch_),
        places{setup.n()},
        directions(setup.directions.count()),
        batch(even_batch(directions + 1, bytes())),
        cells_at_once(small_cells(batch * bytes())),
        to_spectrum_plan(scratch_.queue(), places.n, Transform::to_spectrum_type, cells_at_once),
        products_plan(scratch_.queue(), places.n, Transform::complex_type, cells_at_once * batch) {
    const CarlemanTables<Real> tables(setup, places.across(), scratch.queue().threads());
    factors = to_device(scratch.queue(), tables.factors);
    weights = to_device(scratch.queue(), tables.weights);
    scratch.queue().wait();  // the host's tables go
  }

  void evaluate(const Real* f, Real* q) override { evaluate_cells(f, q, 1, places.nodes()); }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) override {
    for (std::int64_t first = 0; first < cells; first += cells_at_once)
      evaluate_batch(f + first * nodes, q + first * nodes, std::min<std::int64_t>(cells_at_once, cells - first));
  }

 private:
  /// Of a transform.
  std::int64_t bytes() const { return places.nodes() * static_cast<std::int64_t>(sizeof(Complex)); }

  /// So many that the device has something to do: 16 MiB.
  /// @param bytes  of a cell
  static int small_cells(std::int64_t bytes) { return static_cast<int>(std::max<std::int64_t>(1, (16 << 20) / bytes)); }

  void evaluate_batch(const Real* f, Real* q, std::int64_t cells) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = places.nodes(), half_count = places.half_count();
    ScratchFrame frame(scratch);
    Real* values = frame.array<Real>(cells_at_once * nodes).data;
    Complex* half = frame.array<Complex>(cells_at_once * half_count).data;
    Complex* products = frame.array<Complex>(cells_at_once * batch * nodes).data;
    copy(queue, View<const Real>(f, cells * nodes, queue.device()), View<Real>(values, cells * nodes, queue.device()));
    cufft_check(Transform::to_spectrum(to_spectrum_plan.handle(), values, half), "transforms of f");
    for (int first = 0; first <= directions; first += batch) {
      const int count = std::min(batch, directions + 1 - first);
      launch<128>(queue, cells * half_count, multiply_spectrum<Real>, places, half,
                  reinterpret_cast<const Complex*>(factors.data()) + first * half_count, count, batch, cells, products);
      cufft_check(Transform::inverse(products_plan.handle(), products), "transforms of products");
      launch<128>(queue, cells * nodes, add_products<Real>, nodes, products, weights.data(), directions, first, count,
                  batch, cells, f, q);
    }
  }
};

}  // namespace

const OperatorMakers carleman_cufft_cuda = makers_of<CarlemanCufft>();

}  // namespace shoal
