// SPDX-License-Identifier: Apache-2.0
// lerp, interpolated: first approach of Malkov and Ivanov with interpolation in software, in full precision.
//
// idea           one block for each node, whose threads share the partners; the values at v′ and v₁′ are interpolated
//                from a copy of f with a margin of zeros; the partial sums of the threads are added in order
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", first approach
// memory         3 values per node, 2 million partial sums
// atomics        none
// deterministic  yes: partners of a thread in order, threads in order
// wins when      scattering is not isotropic
// loses when     scattering is isotropic: spheres computes the same sums with far less work
// deviations     no texture; any direction set; cubic interpolation, and interpolation of f/M; threads take partners in
//                turn, not a quota of consecutive ones, so that they read neighboring nodes; the shuttle is added on
//                the device; statistical integration draws partners from the nodes and directions from the set
#include "collision/interpolated/flights.cuh"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real, int points>
struct SoftwareField {
  PaddedField<Real> field;

  __device__ Real product(const int* b, const int* parity, double length, const double* n) const {
    return value_at(b, make_interpolant<Real, points>(parity, length, n, 1)) *
           value_at(b, make_interpolant<Real, points>(parity, length, n, -1));
  }
  /// Interpolation points that do not reach the grid may lie outside the margin.
  __device__ Real value_at(const int* b, const Interpolant<Real, points>& interpolant) const {
    const int nodes = field.width - 2 * field.margin;
    for (int axis = 0; axis < 3; ++axis) {
      const int first = b[axis] + interpolant.first[axis];
      if (first <= -points || first >= nodes) return 0;
    }
    const Real* value = field.value + field.index(b[0] + interpolant.first[0], b[1] + interpolant.first[1],
                                                  b[2] + interpolant.first[2]);
    Real sum = 0;
    for (int tz = 0; tz < points; ++tz)
      for (int ty = 0; ty < points; ++ty) {
        Real along = 0;
        for (int tx = 0; tx < points; ++tx)
          along += interpolant.weight[0][tx] * value[(tz * field.width + ty) * field.width + tx];
        sum += interpolant.weight[1][ty] * interpolant.weight[2][tz] * along;
      }
    return sum;
  }
};

template <class Real>
struct InterpolatedLerp : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  FlightTables tables;

  InterpolatedLerp(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_, scratch_.queue()) {}

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), elements = PaddedField<Real>::elements(setup.n());
    ScratchFrame frame(scratch);
    const PaddedField<Real> field(frame.array<Real>(elements).data, setup.n());
    fill_bytes(queue, field.value, 0, static_cast<std::size_t>(elements) * sizeof(Real));
    const bool over_maxwellian = setup.options.over_maxwellian;
    const GasState* gas =
        over_maxwellian ? DistributionBackend<Real>::cuda.gas_states(frame, queue, setup.grid, f, 1) : nullptr;
    Real* maxwellian = over_maxwellian ? frame.array<Real>(nodes).data : nullptr;
    launch(queue, nodes, fill_field_each<Real>, NodeVelocities(setup.grid), f, gas, field, maxwellian);
    with_points(setup.options.interpolation, [&](auto points) {
      evaluate_flights(scratch, setup, tables, this->evaluation, SoftwareField<Real, points()>{field}, f, maxwellian,
                       q);
    });
  }
};

}  // namespace

const OperatorFactory interpolated_lerp_cuda = operator_factory<InterpolatedLerp>();

}  // namespace shoal::collision
