// SPDX-License-Identifier: Apache-2.0
// texture, interpolated: the paper's first approach, with the texture units' trilinear filtering.
//
// idea           f in a three-dimensional texture that is read at any real place: interpolation in hardware. Directions
//                in constant memory. Flights of nodes, one block a node, its threads share the partners; a shuttle of
//                sums, one a thread, is added up in order
// source         Malkov and Ivanov, "Solving the Boltzmann equation on GPU", first approach
// memory         4 bytes a node in the texture, 2 numbers a node, a shuttle of 2 million numbers
// atomics        none
// deterministic  yes: a thread's partners in order, threads in order
// wins when      never against spheres; it shows what the paper's method does
// loses when     more than two digits are wanted: the units weigh in steps of 1/256; half a step on each of three axes
//                for both molecules is up to 6/512 of a product
// differs        any direction set; cubic interpolation (64 unfiltered reads) and interpolation of f/M were added; 0
//                outside the grid, not the value at the edge; partners are dealt out in turn, so that threads read
//                neighboring places; the shuttle is unloaded on the device
//
// budget         64³, 16 half directions: 2.2e12 reads, 4.4 s at the 5.0e11 a second that an H200 was measured to
// filter
#include "collision/interpolated/flights.cuh"
#include "collision/methods/methods.hpp"

namespace shoal {

namespace {

/// f in a texture with n³ texels, 0 outside.
class VelocityTexture {
 public:
  VelocityTexture(int n, bool filtered) : n_(n) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    SHOAL_CUDA_CHECK(cudaMalloc3DArray(&texels_, &format, extent()));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texels_;
    cudaTextureDesc how = {};
    for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeBorder;
    how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    const cudaError_t made = cudaCreateTextureObject(&texture_, &resource, &how, nullptr);
    if (made != cudaSuccess) cudaFreeArray(texels_);
    SHOAL_CUDA_CHECK(made);
  }
  ~VelocityTexture() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(texels_);
  }
  VelocityTexture(const VelocityTexture&) = delete;

  /// @param values  [n³] on the device
  void take(const Queue& queue, float* values) const {
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

/// Texel i has its center at i + 1/2.
template <class Real>
struct FilteredField {
  cudaTextureObject_t texture;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    const auto reach = static_cast<float>(length / 2);
    float center[3], step[3];
    for (int axis = 0; axis < 3; ++axis) {
      center[axis] = static_cast<float>(b[axis]) + static_cast<float>(parity[axis]) * 0.5f + 0.5f;
      step[axis] = reach * static_cast<float>(n[axis]);
    }
    return static_cast<Real>(tex3D<float>(texture, center[0] + step[0], center[1] + step[1], center[2] + step[2]) *
                             tex3D<float>(texture, center[0] - step[0], center[1] - step[1], center[2] - step[2]));
  }
};

/// Hardware has no cubic filter: single texels, weighed in software.
template <class Real>
struct CubicField {
  cudaTextureObject_t texture;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    return at(b, point_after(parity, length, n, 1)) * at(b, point_after(parity, length, n, -1));
  }
  __device__ Real at(const int* b, const LatticePoint& point) const {
    const Interpolant<Real, 4> of = interpolant_at<Real, 4>(point);
    Real sum = 0;
    for (int tz = 0; tz < 4; ++tz)
      for (int ty = 0; ty < 4; ++ty)
        for (int tx = 0; tx < 4; ++tx)
          sum +=
              of.weight[0][tx] * of.weight[1][ty] * of.weight[2][tz] *
              static_cast<Real>(tex3D<float>(texture, texel(b, of, 0, tx), texel(b, of, 1, ty), texel(b, of, 2, tz)));
    return sum;
  }
  __device__ static float texel(const int* b, const Interpolant<Real, 4>& of, int axis, int tap) {
    return static_cast<float>(b[axis] + of.base[axis] + tap) + 0.5f;
  }
};

/// What goes into the texture: f, or f/M with M of density 1, and M where there is room for it.
template <class Real>
__global__ void texels_each(NodeVelocities nodes, const Real* f, const GasState* gas, float* texels, Real* maxwellian) {
  const std::int64_t i = thread_index();
  if (i >= nodes.count()) return;
  Real m = 1;
  if (gas != nullptr && gas->is_gas()) {
    const int n = nodes.n;
    const double v[3] = {nodes.at(0, static_cast<int>(i % n)), nodes.at(1, static_cast<int>(i / n % n)),
                         nodes.at(2, static_cast<int>(i / n / n))};
    m = static_cast<Real>(gas->at(v) / gas->density);
  }
  texels[i] = m > 0 ? static_cast<float>(f[i] / m) : 0;
  if (maxwellian != nullptr) maxwellian[i] = m;
}

template <class Real>
struct InterpolatedTexture : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  Array<double> rates;
  bool cubic;
  VelocityTexture texture;

  InterpolatedTexture(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_),
        scratch(scratch_),
        rates(total_rates(setup_, scratch_.queue())),
        cubic(setup_.options.interpolation == VelocityInterpolation::cubic),
        texture(setup_.n(), !cubic) {}
  ~InterpolatedTexture() override {
    cudaStreamSynchronize(stream_of(scratch.queue()));
  }  // it may still read the texture

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    const bool over = setup.options.over_maxwellian;
    const GasState* gas = over ? cuda::gas_of(frame, queue, setup.grid, f, 1) : nullptr;
    Real* maxwellian = over ? frame.array<Real>(nodes).data : nullptr;
    float* texels = frame.array<float>(nodes).data;
    launch(queue, nodes, texels_each<Real>, NodeVelocities(setup.grid), f, gas, texels, maxwellian);
    texture.take(queue, texels);
    if (cubic)
      fly(scratch, setup, rates.data(), CubicField<Real>{texture.object()}, f, maxwellian, q);
    else
      fly(scratch, setup, rates.data(), FilteredField<Real>{texture.object()}, f, maxwellian, q);
  }
};

}  // namespace

const OperatorMakers interpolated_texture_cuda = makers_of<InterpolatedTexture>();

}  // namespace shoal
