// SPDX-License-Identifier: Apache-2.0
// cufft, spectral: one complex transform a radius and direction, one real one a radius.
//
// idea           with h = IFFT[(cos p + sin p) f̂], p the phase of the shift, f(v + a) f(v − a) = (Re h)² − (Im h)²:
//                both shifted distributions in one transform whose factor is real. F does not depend on the direction,
//                so products are summed over directions, in registers, before they are transformed back
// source         Gamba, Haack, Hauck and Hu (2017); the packing is shoal's
// memory         64 MiB of transforms, or those of one radius if they are more, and as much for cuFFT; 3 numbers a
//                radius of a batch and node; 6 n numbers a radius and direction
// atomics        none
// deterministic  yes: cuFFT's transforms with the same plan, radii and directions in order
// wins when      f is smooth: errors fall faster than any power of the spacing
// loses when     f has jumps, or must not become negative; carleman is faster where its kernels will do
// differs        packed; the public codes take two transforms and one back for each radius and direction
//
// budget         64³, 16 directions, 32 radii, double: 512 transforms are 3.6 to 4.2 ms in cuFFT; their input is
//                written and their output read once more, 2 × 2.1 GB: 1.1 ms at 4 TB/s
#include <numbers>

#include "collision/fourier/cufft_spectrum.cuh"
#include "collision/methods/methods.hpp"
#include "collision/spectral/spectral_item.hpp"

namespace shoal {

namespace {

/// f̂, scaled, and its loss spectrum: the half and, by symmetry, all of it, without wave numbers that have no sign.
template <class Real>
__global__ void complete_spectrum(SpectrumPlaces places, const ComplexOf<Real>* half, const double* loss,
                                  ComplexOf<Real>* spectrum, ComplexOf<Real>* loss_half) {
  const std::int64_t i = thread_index();
  if (i >= places.nodes()) return;
  const int n = places.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  const bool in_half = x < places.across();
  const std::int64_t place = in_half ? places.half_place(x, y, z)
                                     : places.half_place(places.opposite(x), places.opposite(y), places.opposite(z));
  const Real scale = places.scale<Real>(x, y, z);
  const ComplexOf<Real> from = half[place];
  const ComplexOf<Real> value = {scale * from.x, in_half ? scale * from.y : -scale * from.y};
  spectrum[i] = value;
  if (!in_half) return;
  const auto factor = static_cast<Real>(loss[WaveNumbers{n}.square(x, y, z)]);
  loss_half[place] = {factor * value.x, factor * value.y};
}

/// (cos p + sin p) f̂ for all directions of some radii.
/// @param phases  [radii][directions][3][n] cos and sin along the axes
template <class Real>
__global__ void shift_spectrum(SpectrumPlaces places, const ComplexOf<Real>* spectrum, const ComplexOf<Real>* phases,
                               int directions, int radii, ComplexOf<Real>* shifted) {
  const std::int64_t nodes = places.nodes(), i = thread_index() % nodes, radius = thread_index() / nodes;
  if (radius >= radii) return;
  const int n = places.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  const ComplexOf<Real> value = spectrum[i];
  for (int k = 0; k < directions; ++k) {
    const ComplexOf<Real>* phase = phases + (radius * directions + k) * 3 * n;
    const ComplexOf<Real> px = phase[x], py = phase[n + y], pz = phase[2 * n + z];
    const Real cosine = py.x * pz.x - py.y * pz.y, sine = py.y * pz.x + py.x * pz.y;
    const Real factor = (cosine + sine) * px.x + (cosine - sine) * px.y;
    shifted[(radius * directions + k) * nodes + i] = {factor * value.x, factor * value.y};
  }
}

/// Σ_n s_n ((Re h)² − (Im h)²)
template <class Real>
__global__ void sum_products(std::int64_t nodes, const ComplexOf<Real>* shifted, const Real* weights, int directions,
                             int radii, Real* products) {
  const std::int64_t i = thread_index() % nodes, radius = thread_index() / nodes;
  if (radius >= radii) return;
  Real sum = 0;
  for (int k = 0; k < directions; ++k) {
    const ComplexOf<Real> h = shifted[(radius * directions + k) * nodes + i];
    sum += weights[k] * (h.x * h.x - h.y * h.y);
  }
  products[radius * nodes + i] = sum;
}

/// gain += Σ F P̂ over some radii, scaled.
/// @param factor  [radii][|k|²] F
template <class Real>
__global__ void add_gain(SpectrumPlaces places, const ComplexOf<Real>* products, const double* factor, int squares,
                         int radii, bool first, ComplexOf<Real>* gain) {
  const std::int64_t i = thread_index();
  if (i >= places.half_count()) return;
  const int n = places.n, across = places.across();
  const int x = static_cast<int>(i % across), y = static_cast<int>(i / across % n),
            z = static_cast<int>(i / across / n);
  ComplexOf<Real> sum = {0, 0};
  const int square = WaveNumbers{n}.square(x, y, z);
  for (int p = 0; p < radii; ++p) {
    const ComplexOf<Real> value = products[p * places.half_count() + i];
    const auto weight = static_cast<Real>(factor[static_cast<std::int64_t>(p) * squares + square]);
    sum.x += weight * value.x;
    sum.y += weight * value.y;
  }
  const Real scale = places.scale<Real>(x, y, z);
  const ComplexOf<Real> before = first ? ComplexOf<Real>{0, 0} : gain[i];
  gain[i] = {before.x + scale * sum.x, before.y + scale * sum.y};
}

/// q = gain − f loss
template <class Real>
__global__ void combine(const Real* gain, const Real* loss, const Real* f, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i < nodes) q[i] = gain[i] - f[i] * loss[i];
}

template <class Real>
struct SpectralCufft : CollisionOperator<Real> {
  using Complex = ComplexOf<Real>;
  using Transform = Cufft<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  SpectrumPlaces places;
  int directions, radii;
  int radii_at_once;
  int squares;
  Array<double> gain_factors, loss_factors;
  Array<Complex> phases;
  Array<Real> weights;
  CufftPlan shifted_plan, products_plan, to_spectrum_plan, from_spectrum_plan;

  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_)
      : SpectralCufft(setup_, scratch_, SpectralTables(setup_)) {}

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = places.nodes(), half_count = places.half_count();
    ScratchFrame frame(scratch);
    Real* values = frame.array<Real>(2 * nodes).data;
    Complex* half = frame.array<Complex>(half_count).data;
    Complex* spectrum = frame.array<Complex>(nodes).data;
    Complex* both = frame.array<Complex>(2 * half_count).data;  // gain, then loss
    copy(queue, View<const Real>(f, nodes, queue.device()), View<Real>(values, nodes, queue.device()));
    cufft_check(Transform::to_spectrum(to_spectrum_plan.handle(), values, half), "transform of f");
    launch(queue, nodes, complete_spectrum<Real>, places, half, loss_factors.data(), spectrum, both + half_count);
    for (int first = 0; first < radii; first += radii_at_once) add_radii(spectrum, first, both);
    cufft_check(Transform::from_spectrum(from_spectrum_plan.handle(), both, values), "transform of gain and loss");
    launch(queue, nodes, combine<Real>, values, values + nodes, f, nodes, q);
  }

 private:
  SpectralCufft(const CollisionSetup& setup_, Scratch& scratch_, const SpectralTables& tables)
      : setup(setup_),
        scratch(scratch_),
        places{setup_.n()},
        directions(setup_.directions.count()),
        radii(setup_.options.radii),
        radii_at_once(even_batch(radii, directions * places.nodes() * static_cast<std::int64_t>(sizeof(Complex)))),
        squares(static_cast<int>(tables.loss.size())),
        shifted_plan(scratch_.queue(), setup_.n(), Transform::complex_type, directions * radii_at_once),
        products_plan(scratch_.queue(), setup_.n(), Transform::to_spectrum_type, radii_at_once),
        to_spectrum_plan(scratch_.queue(), setup_.n(), Transform::to_spectrum_type, 1),
        from_spectrum_plan(scratch_.queue(), setup_.n(), Transform::from_spectrum_type, 2) {
    const Queue& queue = scratch.queue();
    std::vector<double> gain;
    for (const std::vector<double>& of_radius : tables.gain)
      gain.insert(gain.end(), of_radius.begin(), of_radius.end());
    const std::vector<Complex> of_axes = phases_of(tables);
    const std::vector<Real> of_directions(setup.directions.weight.begin(), setup.directions.weight.end());
    gain_factors = to_device(queue, gain);
    loss_factors = to_device(queue, tables.loss);
    phases = to_device(queue, of_axes);
    weights = to_device(queue, of_directions);
    queue.wait();  // the host's tables go
  }

  std::vector<Complex> phases_of(const SpectralTables& tables) const {
    const WaveNumbers waves{setup.n()};
    std::vector<Complex> all;
    for (const QuadraturePoint& radius : tables.radii)
      for (const auto& e : setup.directions.at)
        for (const double along : e)
          for (int k = 0; k < setup.n(); ++k) {
            const double phase =
                std::numbers::pi * radius.x / (2 * setup.grid.half_width) * along * waves.signed_number(k);
            all.push_back({static_cast<Real>(std::cos(phase)), static_cast<Real>(std::sin(phase))});
          }
    return all;
  }

  void add_radii(const Complex* spectrum, int first, Complex* gain) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = places.nodes();
    const int count = std::min(radii_at_once, radii - first);
    ScratchFrame frame(scratch);
    Complex* shifted = frame.array<Complex>(radii_at_once * directions * nodes).data;
    Real* products = frame.array<Real>(radii_at_once * nodes).data;
    Complex* products_spectrum = frame.array<Complex>(radii_at_once * places.half_count()).data;
    launch(queue, count * nodes, shift_spectrum<Real>, places, spectrum,
           phases.data() + static_cast<std::int64_t>(first) * directions * 3 * places.n, directions, count, shifted);
    cufft_check(Transform::inverse(shifted_plan.handle(), shifted), "transforms of shifted distributions");
    launch(queue, count * nodes, sum_products<Real>, nodes, shifted, weights.data(), directions, count, products);
    cufft_check(Transform::to_spectrum(products_plan.handle(), products, products_spectrum), "transforms of products");
    launch(queue, places.half_count(), add_gain<Real>, places, products_spectrum,
           gain_factors.data() + static_cast<std::int64_t>(first) * squares, squares, count, first == 0, gain);
  }
};

}  // namespace

const OperatorMakers spectral_cufft_cuda = makers_of<SpectralCufft>();

}  // namespace shoal
