// SPDX-License-Identifier: Apache-2.0
// texture, interpolated: first approach of Malkov and Ivanov, with interpolation by the texture units.
//
// idea           f in a three-dimensional texture, which the hardware interpolates at any point, linearly or
//                stepwise; directions in constant memory; one block for each node, whose threads share the partners
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", first approach
// memory         per node 4 bytes in the texture and 2 values; 2 million partial sums
// atomics        none
// deterministic  yes: partners of a thread in order, threads in order
// wins when      never against spheres; it reproduces the paper's method
// loses when     errors below 6/512 of a product matter: filter weights are multiples of 1/256 on each of three axes
// deviations     any direction set; cubic interpolation (64 unfiltered reads), and interpolation of f/M; 0 outside the
//                grid, not the value at the edge (clamp); threads take partners in turn, not a quota of consecutive
//                ones; the shuttle is added on the device; statistical integration as in lerp. Stepwise: the hardware
//                chooses the node of each molecule, so points halfway are no mirror images
#include "collision/interpolated/flights.cuh"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

/// Texture of f with n³ texels; reads outside return 0.
class VelocityTexture {
 public:
  VelocityTexture(int n, bool filtered) : n_(n) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    SHOAL_CUDA_CHECK(cudaMalloc3DArray(&texels_, &format, extent()));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels_;
    cudaTextureDesc description = {};
    for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeBorder;
    description.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    const cudaError_t made = cudaCreateTextureObject(&texture_, &resource, &description, nullptr);
    if (made != cudaSuccess) cudaFreeArray(texels_);
    SHOAL_CUDA_CHECK(made);
  }
  ~VelocityTexture() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(texels_);
  }
  VelocityTexture(const VelocityTexture&) = delete;

  /// @param values  [n³] on the device
  void load(const Queue& queue, float* values) const {
    cudaMemcpy3DParms copy = {};
    const auto n = static_cast<std::size_t>(n_);
    copy.srcPtr = make_cudaPitchedPtr(values, n * sizeof(float), n, n);
    copy.dstArray = texels_;
    copy.extent = extent();
    copy.kind = cudaMemcpyDeviceToDevice;
    SHOAL_CUDA_CHECK(cudaMemcpy3DAsync(&copy, stream_of(queue)));
  }
  cudaTextureObject_t object() const { return texture_; }

 private:
  cudaExtent extent() const {
    const auto n = static_cast<std::size_t>(n_);
    return make_cudaExtent(n, n, n);
  }

  int n_;
  cudaArray_t texels_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

/// Trilinear or stepwise interpolation in hardware, by the filter of the texture. Texel i has its center at i + 1/2.
template <class Real>
struct FilteredField {
  cudaTextureObject_t texture;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    const auto radius = static_cast<float>(length / 2);
    float center[3], step[3];
    for (int axis = 0; axis < 3; ++axis) {
      center[axis] = static_cast<float>(b[axis]) + static_cast<float>(parity[axis]) * 0.5f + 0.5f;
      step[axis] = radius * static_cast<float>(n[axis]);
    }
    return static_cast<Real>(tex3D<float>(texture, center[0] + step[0], center[1] + step[1], center[2] + step[2]) *
                             tex3D<float>(texture, center[0] - step[0], center[1] - step[1], center[2] - step[2]));
  }
};

/// Cubic interpolation in software from single texels: the hardware has no cubic filter.
template <class Real>
struct CubicField {
  cudaTextureObject_t texture;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    return value_at(b, make_interpolant<Real, 4>(parity, length, n, 1)) *
           value_at(b, make_interpolant<Real, 4>(parity, length, n, -1));
  }
  __device__ Real value_at(const int* b, const Interpolant<Real, 4>& interpolant) const {
    Real sum = 0;
    for (int tz = 0; tz < 4; ++tz)
      for (int ty = 0; ty < 4; ++ty)
        for (int tx = 0; tx < 4; ++tx)
          sum += interpolant.weight[0][tx] * interpolant.weight[1][ty] * interpolant.weight[2][tz] *
                 static_cast<Real>(tex3D<float>(texture, texel(b, interpolant, 0, tx), texel(b, interpolant, 1, ty),
                                                texel(b, interpolant, 2, tz)));
    return sum;
  }
  __device__ static float texel(const int* b, const Interpolant<Real, 4>& interpolant, int axis, int point) {
    return static_cast<float>(b[axis] + interpolant.first[axis] + point) + 0.5f;
  }
};

/// Computes the texels: f or, if `gas` is not null and the cell contains gas, f/M with M the Maxwellian of density 1.
/// @param maxwellian  [nodes³] overwritten with M; may be null
template <class Real>
__global__ void texels_each(NodeVelocities nodes, const Real* f, const GasState* gas, float* texels, Real* maxwellian) {
  const std::int64_t i = thread_index();
  if (i >= nodes.count()) return;
  Real m = 1;
  if (gas != nullptr && gas->is_gas()) {
    const int n = nodes.n;
    const double v[3] = {nodes.velocity(0, static_cast<int>(i % n)), nodes.velocity(1, static_cast<int>(i / n % n)),
                         nodes.velocity(2, static_cast<int>(i / n / n))};
    m = static_cast<Real>(gas->maxwellian(v) / gas->density);
  }
  texels[i] = m > 0 ? static_cast<float>(f[i] / m) : 0;
  if (maxwellian != nullptr) maxwellian[i] = m;
}

template <class Real>
struct InterpolatedTexture : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  FlightTables tables;
  VelocityTexture texture;

  InterpolatedTexture(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        tables(setup_, scratch_.queue()),
        texture(setup_.n(), setup_.options.interpolation == VelocityInterpolation::trilinear) {}
  ~InterpolatedTexture() override {
    cudaStreamSynchronize(stream_of(scratch.queue()));  // kernels may still read the texture
  }

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    const bool over_maxwellian = setup.options.over_maxwellian;
    const GasState* gas =
        over_maxwellian ? DistributionBackend<Real>::cuda.gas_states(frame, queue, setup.grid, f, 1) : nullptr;
    Real* maxwellian = over_maxwellian ? frame.array<Real>(nodes).data : nullptr;
    float* texels = frame.array<float>(nodes).data;
    launch(queue, nodes, texels_each<Real>, NodeVelocities(setup.grid), f, gas, texels, maxwellian);
    texture.load(queue, texels);
    if (setup.options.interpolation == VelocityInterpolation::cubic)
      evaluate_flights(scratch, setup, tables, this->evaluation, CubicField<Real>{texture.object()}, f, maxwellian, q);
    else
      evaluate_flights(scratch, setup, tables, this->evaluation, FilteredField<Real>{texture.object()}, f, maxwellian,
                       q);
  }
};

}  // namespace

const OperatorFactory interpolated_texture_cuda = operator_factory<InterpolatedTexture>();

}  // namespace shoal::collision
