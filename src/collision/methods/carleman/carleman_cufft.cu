// SPDX-License-Identifier: Apache-2.0
// cufft, carleman: one complex transform for each direction, and one for the loss.
//
// idea           both factors of a direction are real: the real part of IFFT[f̂ (φ + i ψ)] is IFFT[f̂ φ], the imaginary
//                part IFFT[f̂ ψ]. Both are even, so half a spectrum and half a table give both halves of the product
// source         Mouhot and Pareschi (2006); Wu, White, Scanlon, Reese and Zhang (2013); the packing is our own
// memory         M + 1 values per node for φ and ψ; 256 MiB of transforms, at least one. For n without kernels of our own:
//                64 MiB, and as much for cuFFT
// atomics        none
// deterministic  yes: transforms of fixed size, directions and batches in order; a cell does not depend on others
// wins when      molecules are hard spheres, or only their viscosity matters: no sum over radii
// loses when     molecules are others and their angular distribution matters: only the viscosity is right
// deviations     common n have kernels of our own, plane_transforms.cuh; any direction set; two real factors packed into one
//                transform; small cells share a batch
#include "collision/carleman/carleman_tables.hpp"
#include "collision/fourier/summed_transforms.cuh"
#include "collision/methods/methods.hpp"
#include "collision/ranks/batch_sums.cuh"

namespace shoal::collision {

namespace {

/// Takes the half spectra of cells, scaled and without wave numbers that have no sign.
template <class Real>
struct HalfSpectra {
  using Total = CufftComplex<Real>;
  SpectrumLayout layout;
  CufftComplex<Real>* half;  ///< [cells][half_count]

  __device__ void add(Total& total, std::int64_t, int, CufftComplex<Real> h, int, int, int) const { total = h; }
  __device__ void store(std::int64_t cell, int x, int y, int z, Total total) const {
    const Real scale = layout.scale<Real>(x, y, z);
    half[cell * layout.half_count() + layout.half_index(x, y, z)] = {scale * total.x, scale * total.y};
  }
};

/// f̂ times factors, which are even.
template <class Real>
struct FactoredSpectra {
  SpectrumLayout layout;
  int count;                          ///< Factors.
  const CufftComplex<Real>* half;     ///< [cells][half_count] f̂
  const CufftComplex<Real>* factors;  ///< [count][half_count]

  __device__ CufftComplex<Real> operator()(std::int64_t transform, int x, int y, int z) const {
    const std::int64_t cell = transform / count, number = transform - cell * count;
    return product(whole_spectrum(layout, half + cell * layout.half_count(), x, y, z),
                   factors[number * layout.half_count() + layout.even_index(x, y, z)]);
  }
};

/// Sums s Re h Im h over directions. For the loss, which follows the directions, the sum has −f Re h.
template <class Real>
struct SumsOfFactors : SumsAtNodes<Real> {
  const Real* weights;  ///< [directions]
  int directions;
  int first;      ///< Number of the first transform of the sums.
  const Real* f;  ///< [cells][nodes]

  __device__ void add(Real& total, std::int64_t cell, int k, CufftComplex<Real> h, int x, int y, int z) const {
    total += first + k < directions ? weights[first + k] * (h.x * h.y) : -f[this->index(cell, x, y, z)] * h.x;
  }
};

template <class Real>
struct CarlemanCufft : CollisionOperator<Real> {
  using Complex = CufftComplex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumLayout layout;
  int directions;
  int batch;        ///< Transforms of a cell in a batch.
  int batch_cells;  ///< Cells in a batch. A batch with fewer cells is transformed whole, so that bits stay the same.
  ForwardTransforms<Real> f_transforms;
  InverseTransforms<Real> products_transforms;
  Array<std::complex<Real>> factors;
  Array<Real> weights;

  CarlemanCufft(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        layout{setup_.n()},
        directions(setup.directions.count()),
        batch(balanced_batch(directions + 1, bytes(), transform_bytes(layout.n))),
        batch_cells(cells_of_batch(batch * bytes())),
        f_transforms(scratch_.queue(), layout.n, batch_cells),
        products_transforms(scratch_.queue(), layout.n, batch_cells * batch) {
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

  /// Number of cells that occupy the device.
  /// @param cell_bytes  size of the transforms of a cell
  int cells_of_batch(std::int64_t cell_bytes) const {
    const std::int64_t occupying = has_planes(layout.n) ? 256 << 20 : 16 << 20;
    return static_cast<int>(std::max<std::int64_t>(1, occupying / cell_bytes));
  }

  void evaluate_batch(const Real* f, Real* q, std::int64_t cells) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = layout.nodes(), half_count = layout.half_count();
    ScratchFrame frame(scratch);
    Complex* half = frame.array<Complex>(batch_cells * half_count).data;
    f_transforms.run(scratch, cells, 1, NodeValues<Real>{layout, f}, HalfSpectra<Real>{layout, half});
    const auto compute = [&](int number, bool overwrite, Real* sum) {
      const int first = number * batch, count = std::min(batch, directions + 1 - first);
      const FactoredSpectra<Real> spectra{layout, count, half,
                                          reinterpret_cast<const Complex*>(factors.data()) + first * half_count};
      const SumsOfFactors<Real> sums{{layout, sum, overwrite}, weights.data(), directions, first, f};
      products_transforms.run(scratch, cells, count, spectra, sums);
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
