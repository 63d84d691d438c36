// SPDX-License-Identifier: Apache-2.0
// lerp, interpolated: the paper's first approach with interpolation in software, in full precision.
//
// idea           one block a node, its threads share the partners; both molecules' values are interpolated from a copy
//                of f in a frame of zeros; a shuttle of sums, one a thread, is added up in order
// source         Malkov and Ivanov, "Solving the Boltzmann equation on GPU", first approach
// memory         3 numbers a node, a shuttle of 2 million numbers
// atomics        none
// deterministic  yes: a thread's partners in order, threads in order
// wins when      scattering is not isotropic
// loses when     it is: spheres does the same with a twentieth of the work
// differs        no texture; any direction set; cubic interpolation and interpolation of f/M were added; partners are
//                dealt out in turn, so that threads read neighboring nodes; the shuttle is unloaded on the device
#include "collision/interpolated/flights.cuh"
#include "collision/methods/methods.hpp"

namespace shoal {

namespace {

template <class Real, int taps>
struct SoftwareField {
  FramedValues<Real> framed;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    return at(b, point_after(parity, length, n, 1)) * at(b, point_after(parity, length, n, -1));
  }
  /// Stencils that do not reach the grid have no place in the frame.
  __device__ Real at(const int* b, const LatticePoint& point) const {
    const Interpolant<Real, taps> of = interpolant_at<Real, taps>(point);
    const int nodes = framed.width - 2 * framed.frame;
    for (int axis = 0; axis < 3; ++axis) {
      const int first = b[axis] + of.base[axis];
      if (first <= -taps || first >= nodes) return 0;
    }
    const Real* value = framed.value + framed.place(b[0] + of.base[0], b[1] + of.base[1], b[2] + of.base[2]);
    Real sum = 0;
    for (int tz = 0; tz < taps; ++tz)
      for (int ty = 0; ty < taps; ++ty) {
        Real along = 0;
        for (int tx = 0; tx < taps; ++tx)
          along += of.weight[0][tx] * value[(tz * framed.width + ty) * framed.width + tx];
        sum += of.weight[1][ty] * of.weight[2][tz] * along;
      }
    return sum;
  }
};

template <class Real>
struct InterpolatedLerp : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  Array<double> rates;

  InterpolatedLerp(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), rates(total_rates(setup_, scratch_.queue())) {}

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), elements = FramedValues<Real>::elements(setup.n());
    ScratchFrame frame(scratch);
    const FramedValues<Real> framed(frame.array<Real>(elements).data, setup.n());
    fill_bytes(queue, framed.value, 0, static_cast<std::size_t>(elements) * sizeof(Real));
    const bool over = setup.options.over_maxwellian;
    const GasState* gas = over ? cuda::gas_of(frame, queue, setup.grid, f, 1) : nullptr;
    Real* maxwellian = over ? frame.array<Real>(nodes).data : nullptr;
    launch(queue, nodes, frame_each<Real>, NodeVelocities(setup.grid), f, gas, framed, maxwellian);
    if (setup.options.interpolation == VelocityInterpolation::cubic)
      fly(scratch, setup, rates.data(), SoftwareField<Real, 4>{framed}, f, maxwellian, q);
    else
      fly(scratch, setup, rates.data(), SoftwareField<Real, 2>{framed}, f, maxwellian, q);
  }
};

}  // namespace

const OperatorMakers interpolated_lerp_cuda = makers_of<InterpolatedLerp>();

}  // namespace shoal
