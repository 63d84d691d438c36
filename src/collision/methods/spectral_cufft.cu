// SPDX-License-Identifier: Apache-2.0
// cufft, spectral: one complex transform for each radius and direction, one real transform for each radius.
//
// idea           with h = IFFT[(cos p + sin p) f̂] and p the phase of the shift, f(v + a) f(v − a) = (Re h)² − (Im h)²:
//                one transform for both shifted distributions. F does not depend on the direction, so the products are
//                summed over directions, in registers, before the transform back
// source         Gamba, Haack, Hauck and Hu (2017); the packing is our own
// memory         64 MiB of transforms, at least those of one radius, and as much for cuFFT; 3 values per node and
//                radius of a batch; 6 n values for each radius and direction
// atomics        none
// deterministic  yes: cuFFT's transforms with the same plan, radii and directions in order
// wins when      f is smooth: errors fall faster than any power of the spacing
// loses when     f has jumps or must stay positive; carleman is faster where its kernels are accurate enough
// deviations     packed; published codes need two transforms and one back for each radius and direction
#include <numbers>

#include "collision/fourier/cufft_spectrum.cuh"
#include "collision/methods/methods.hpp"
#include "collision/ranks/rank_batches.hpp"
#include "collision/spectral/spectral_item.hpp"

namespace shoal::collision {

namespace {

/// Computes the full scaled spectrum f̂ and the half spectrum of the loss from the half spectrum of f, without wave
/// numbers that have no sign.
template <class Real>
__global__ void complete_spectrum(SpectrumLayout layout, const CufftComplex<Real>* half, const double* loss,
                                  CufftComplex<Real>* spectrum, CufftComplex<Real>* loss_half) {
  const std::int64_t i = thread_index();
  if (i >= layout.nodes()) return;
  const int n = layout.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  const bool in_half = x < layout.across();
  const std::int64_t half_index = in_half
                                      ? layout.half_index(x, y, z)
                                      : layout.half_index(layout.opposite(x), layout.opposite(y), layout.opposite(z));
  const Real scale = layout.scale<Real>(x, y, z);
  const CufftComplex<Real> unscaled = half[half_index];
  const CufftComplex<Real> value = {scale * unscaled.x, in_half ? scale * unscaled.y : -scale * unscaled.y};
  spectrum[i] = value;
  if (!in_half) return;
  const auto factor = static_cast<Real>(loss[WaveNumbers{n}.square(x, y, z)]);
  loss_half[half_index] = {factor * value.x, factor * value.y};
}

/// Computes (cos p + sin p) f̂ for all directions of several radii.
/// @param phases  [radii][directions][3][n] cosine and sine of the phases along the axes
template <class Real>
__global__ void shift_spectrum(SpectrumLayout layout, const CufftComplex<Real>* spectrum,
                               const CufftComplex<Real>* phases, int directions, int radii,
                               CufftComplex<Real>* shifted) {
  const std::int64_t nodes = layout.nodes(), i = thread_index() % nodes, radius = thread_index() / nodes;
  if (radius >= radii) return;
  const int n = layout.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  const CufftComplex<Real> value = spectrum[i];
  for (int k = 0; k < directions; ++k) {
    const CufftComplex<Real>* phase = phases + (radius * directions + k) * 3 * n;
    const CufftComplex<Real> px = phase[x], py = phase[n + y], pz = phase[2 * n + z];
    const Real cosine = py.x * pz.x - py.y * pz.y, sine = py.y * pz.x + py.x * pz.y;
    const Real factor = (cosine + sine) * px.x + (cosine - sine) * px.y;
    shifted[(radius * directions + k) * nodes + i] = {factor * value.x, factor * value.y};
  }
}

/// Sums the products over directions: Σ_n s_n ((Re h)² − (Im h)²).
template <class Real>
__global__ void sum_products(std::int64_t nodes, const CufftComplex<Real>* shifted, const Real* weights, int directions,
                             int radii, Real* products) {
  const std::int64_t i = thread_index() % nodes, radius = thread_index() / nodes;
  if (radius >= radii) return;
  Real sum = 0;
  for (int k = 0; k < directions; ++k) {
    const CufftComplex<Real> h = shifted[(radius * directions + k) * nodes + i];
    sum += weights[k] * (h.x * h.x - h.y * h.y);
  }
  products[radius * nodes + i] = sum;
}

/// gain += Σ F P̂ over several radii, scaled, for a part of the half spectrum.
/// @param products  P̂ of each radius
/// @param factor    [radii][|k|²] F
template <class Real>
__global__ void add_gain(SpectrumLayout layout, BatchPart<CufftComplex<Real>> products, const double* factor,
                         int squares, int radii, bool first, CufftComplex<Real>* gain) {
  const std::int64_t number = thread_index(), i = products.part.begin + number;
  if (number >= products.part.count()) return;
  const int n = layout.n, across = layout.across();
  const int x = static_cast<int>(i % across), y = static_cast<int>(i / across % n),
            z = static_cast<int>(i / across / n);
  CufftComplex<Real> sum = {0, 0};
  const int square = WaveNumbers{n}.square(x, y, z);
  for (int p = 0; p < radii; ++p) {
    const CufftComplex<Real> value = products.values[p * products.stride + number];
    const auto weight = static_cast<Real>(factor[static_cast<std::int64_t>(p) * squares + square]);
    sum.x += weight * value.x;
    sum.y += weight * value.y;
  }
  const Real scale = layout.scale<Real>(x, y, z);
  const CufftComplex<Real> previous = first ? CufftComplex<Real>{0, 0} : gain[i];
  gain[i] = {previous.x + scale * sum.x, previous.y + scale * sum.y};
}

/// q = gain − f loss
template <class Real>
__global__ void combine(const Real* gain, const Real* loss, const Real* f, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i < nodes) q[i] = gain[i] - f[i] * loss[i];
}

template <class Real>
struct SpectralCufft : CollisionOperator<Real> {
  using Complex = CufftComplex<Real>;
  using Transform = Cufft<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumLayout layout;
  int directions, radii;
  int batch_radii;
  int squares;
  Array<double> gain_factors, loss_factors;
  Array<Complex> phases;
  Array<Real> weights;
  CufftPlan shifted_plan, products_plan, to_spectrum_plan, from_spectrum_plan;

  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_)
      : SpectralCufft(setup_, scratch_, SpectralTables(setup_)) {}

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = layout.nodes(), half_count = layout.half_count();
    ScratchFrame frame(scratch);
    Real* values = frame.array<Real>(2 * nodes).data;
    Complex* half = frame.array<Complex>(half_count).data;
    Complex* spectrum = frame.array<Complex>(nodes).data;
    Complex* gain_and_loss = frame.array<Complex>(2 * half_count).data;  // gain, then loss
    copy(queue, View<const Real>(f, nodes, queue.device()), View<Real>(values, nodes, queue.device()));
    cufft_check(Transform::to_spectrum(to_spectrum_plan.handle(), values, half), "transform of f");
    launch(queue, nodes, complete_spectrum<Real>, layout, half, loss_factors.data(), spectrum,
           gain_and_loss + half_count);
    const auto compute = [&](int batch, Complex* products) {
      transform_radii(spectrum, batch * batch_radii, products);
    };
    const auto add = [&](int batch, const BatchPart<Complex>& products) {
      add_radii(products, batch * batch_radii, gain_and_loss);
    };
    const int batches = (radii + batch_radii - 1) / batch_radii;
    add_batches(setup, scratch, batches, batch_radii, half_count, gain_and_loss, compute, add);
    cufft_check(Transform::from_spectrum(from_spectrum_plan.handle(), gain_and_loss, values),
                "transform of gain and loss");
    launch(queue, nodes, combine<Real>, values, values + nodes, f, nodes, q);
  }

 private:
  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_, const SpectralTables& tables)
      : setup(setup_),
        scratch(scratch_),
        layout{setup_.n()},
        directions(setup_.directions.count()),
        radii(setup_.options.radii),
        batch_radii(balanced_batch(radii, directions * layout.nodes() * static_cast<std::int64_t>(sizeof(Complex)))),
        squares(static_cast<int>(tables.loss.size())),
        shifted_plan(scratch_.queue(), setup_.n(), Transform::complex_type, directions * batch_radii),
        products_plan(scratch_.queue(), setup_.n(), Transform::to_spectrum_type, batch_radii),
        to_spectrum_plan(scratch_.queue(), setup_.n(), Transform::to_spectrum_type, 1),
        from_spectrum_plan(scratch_.queue(), setup_.n(), Transform::from_spectrum_type, 2) {
    const Queue& queue = scratch.queue();
    std::vector<double> gain;
    for (const std::vector<double>& radius_gain : tables.gain)
      gain.insert(gain.end(), radius_gain.begin(), radius_gain.end());
    const std::vector<Complex> host_phases = axis_phases(tables);
    const std::vector<Real> host_weights(setup.directions.weight.begin(), setup.directions.weight.end());
    gain_factors = to_device(queue, gain);
    loss_factors = to_device(queue, tables.loss);
    phases = to_device(queue, host_phases);
    weights = to_device(queue, host_weights);
    queue.wait();  // before the host's tables are destroyed
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

  /// Number of radii of the batch that begins with the radius `first`.
  int radius_count(int first) const { return std::min(batch_radii, radii - first); }

  /// Computes the spectra of the products of the radii from `first` on.
  /// @param products_spectrum  [batch_radii][half_count] overwritten
  void transform_radii(const Complex* spectrum, int first, Complex* products_spectrum) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = layout.nodes();
    const int count = radius_count(first);
    ScratchFrame frame(scratch);
    Complex* shifted = frame.array<Complex>(batch_radii * directions * nodes).data;
    Real* products = frame.array<Real>(batch_radii * nodes).data;
    launch(queue, count * nodes, shift_spectrum<Real>, layout, spectrum,
           phases.data() + static_cast<std::int64_t>(first) * directions * 3 * layout.n, directions, count, shifted);
    cufft_check(Transform::inverse(shifted_plan.handle(), shifted), "transforms of shifted distributions");
    launch(queue, count * nodes, sum_products<Real>, nodes, shifted, weights.data(), directions, count, products);
    cufft_check(Transform::to_spectrum(products_plan.handle(), products, products_spectrum), "transforms of products");
  }

  void add_radii(const BatchPart<Complex>& products, int first, Complex* gain) {
    launch(scratch.queue(), products.part.count(), add_gain<Real>, layout, products,
           gain_factors.data() + static_cast<std::int64_t>(first) * squares, squares, radius_count(first), first == 0,
           gain);
  }
};

}  // namespace

const OperatorFactory spectral_cufft_cuda = operator_factory<SpectralCufft>();

}  // namespace shoal::collision
