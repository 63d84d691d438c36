// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated: the sum over directions is computed once for all pairs that share a sphere.
//
// idea           pairs with the same center and distance have the same velocities after a collision: the sum
//                A = Σ_n f(v′) f(v₁′) is computed once, then each pair adds A − f f₁ to both its nodes. For a sphere
//                class (same parity and distance) the interpolation weights do not depend on the center
// source         our own; approach of Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann
//                equation for GPU-based computations"
// memory         18 values per node and one for each displacement
// atomics        none
// deterministic  yes: classes in 16 work groups for any number of threads, added in order
// wins when      scattering is isotropic
// loses when     scattering is anisotropic: not available
// deviations     the sums of pairs in another order
#include "collision/interpolated/interpolated_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spheres/sphere_classes.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

namespace {

constexpr int max_nodes = 128;  ///< Largest number of nodes along an axis.

/// Interpolated field with a margin of zeros, so that interpolation points may lie outside the grid.
template <class Real>
struct PaddedHostField {
  static constexpr int margin = 3;
  int width;
  Real* value;

  /// The values are in memory of the scratch frame.
  PaddedHostField(ScratchFrame& memory, const Real* inside, int n) : width(n + 2 * margin) {
    const std::int64_t count = static_cast<std::int64_t>(width) * width * width;
    value = memory.array<Real>(count).data;
    std::fill_n(value, count, Real(0));
    for (int row = 0; row < n * n; ++row) std::copy_n(inside + row * n, n, value + offset(0, row % n, row / n));
  }
  std::int64_t offset(int x, int y, int z) const {
    return (static_cast<std::int64_t>(z + margin) * width + y + margin) * width + x + margin;
  }
};

/// Interpolates a row of nodes along y and z, with the same weights for all nodes of the row.
template <class Real, int points>
SHOAL_HD void contract_rows(const Interpolant<Real, points>& interpolant, const Real* first, std::int64_t width,
                            int count, Real* __restrict line) {
  Real weight[points][points];
  for (int z = 0; z < points; ++z)
    for (int y = 0; y < points; ++y) weight[z][y] = interpolant.weight[1][y] * interpolant.weight[2][z];
  for (int x = 0; x < count; ++x) {
    Real sum = 0;
    for (int z = 0; z < points; ++z)
      for (int y = 0; y < points; ++y) sum += weight[z][y] * first[(z * width + y) * width + x];
    line[x] = sum;
  }
}

/// sum[x] += rate · f(v′) f(v₁′) for a row of centers.
/// @param first, first1  first interpolation nodes of v′ and v₁′ for the first center
template <class Real, int points>
SHOAL_CPU_VARIANTS void add_products(const Interpolant<Real, points>& interpolant, const Real* first,
                                     const Interpolant<Real, points>& interpolant1, const Real* first1,
                                     std::int64_t width, Real rate, int count, Real* __restrict sum) {
  Real line[max_nodes + points], line1[max_nodes + points];
  contract_rows(interpolant, first, width, count + points - 1, line);
  contract_rows(interpolant1, first1, width, count + points - 1, line1);
  for (int x = 0; x < count; ++x) {
    Real value = 0, value1 = 0;
    for (int t = 0; t < points; ++t) {
      value += interpolant.weight[0][t] * line[x + t];
      value1 += interpolant1.weight[0][t] * line1[x + t];
    }
    sum[x] += rate * (value * value1);
  }
}

/// Adds gain and loss of a row of pairs to their upper and lower nodes. The two rows of nodes may be the same row,
/// shifted; each therefore has its own loop, whose elements are independent.
template <class Real>
SHOAL_CPU_VARIANTS void add_pairs(const Real* gain, Real rate, const Real* f_upper, const Real* f_lower, int count,
                                  Real* q_upper, Real* q_lower) {
  for (int x = 0; x < count; ++x) q_upper[x] += gain[x] - rate * (f_upper[x] * f_lower[x]);
  for (int x = 0; x < count; ++x) q_lower[x] += gain[x] - rate * (f_upper[x] * f_lower[x]);
}

/// Adds the collisions of sphere classes to a Q.
template <class Real, int points>
class ClassSum {
 public:
  /// @param gas  gas of M if f/M is interpolated; else null
  ClassSum(const CollisionSetup& setup, const SupportRows& rows, const Real* f, const PaddedHostField<Real>& field,
           Real* gain, const GasState* gas)
      : setup_(setup), support_rows_(rows), f_(f), field_(field), gain_(gain), n_(setup.n()), gas_(gas) {}

  void add(const SphereClass& sphere_class, Real* q) {
    rows_.make(sphere_class, setup_.support());
    sum_spheres(sphere_class);
    const auto rate =
        static_cast<Real>(setup_.volume() * setup_.kernel.total(sphere_class.distance() * setup_.spacing()));
    sphere_class.for_each_row_of_pairs(
        support_rows_, [&](std::int64_t center, std::int64_t upper, std::int64_t lower, int count) {
          add_pairs(gain_ + center, rate, f_ + upper, f_ + lower, count, q + upper, q + lower);
        });
  }

 private:
  std::int64_t node(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n_ + y) * n_ + x; }

  void sum_spheres(const SphereClass& sphere_class) {
    direction_rates(setup_, sphere_class.displacements.front(), rates_);
    rows_.for_each([&](int first, int count, int y, int z) { std::fill_n(gain_ + node(first, y, z), count, Real(0)); });
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const double* n = setup_.directions.point[k].data();
      const auto interpolant = make_interpolant<Real, points>(sphere_class.parity, sphere_class.distance(), n, 1);
      const auto interpolant1 = make_interpolant<Real, points>(sphere_class.parity, sphere_class.distance(), n, -1);
      add_direction(sphere_class, interpolant, interpolant1, static_cast<Real>(rates_[k]));
    }
    if (gas_ != nullptr) multiply_maxwellians(sphere_class);
  }

  void add_direction(const SphereClass& sphere_class, const Interpolant<Real, points>& interpolant,
                     const Interpolant<Real, points>& interpolant1, Real rate) {
    const VelocitySupport support = setup_.support();
    const int largest_square = support.reach2(points);
    int middle[3];  // from the center to the middle of the interpolation nodes of v′, in half spacings
    for (int axis = 0; axis < 3; ++axis)
      middle[axis] = 2 * interpolant.first[axis] + points - 1 - sphere_class.parity[axis];
    const auto reaches = [&](int b, int axis) {
      return b + std::min(interpolant.first[axis], interpolant1.first[axis]) > -points &&
             b + std::max(interpolant.first[axis], interpolant1.first[axis]) < n_;
    };
    rows_.for_each([&](int first, int count, int y, int z) {
      if (!reaches(y, 1) || !reaches(z, 2)) return;
      int end = first + count;
      const auto gains = [&](int x) {
        const int c[3] = {support.center(x, sphere_class.parity[0]), support.center(y, sphere_class.parity[1]),
                          support.center(z, sphere_class.parity[2])};
        return reaches(x, 0) && support.farther_square(c, middle) <= largest_square;
      };
      while (first < end && !gains(first)) ++first;
      while (end > first && !gains(end - 1)) --end;
      if (first == end) return;
      const auto first_node = [&](const int* offset) {
        return field_.value + field_.offset(first + offset[0], y + offset[1], z + offset[2]);
      };
      add_products(interpolant, first_node(interpolant.first), interpolant1, first_node(interpolant1.first),
                   field_.width, rate, end - first, gain_ + node(first, y, z));
    });
  }

  void multiply_maxwellians(const SphereClass& sphere_class) {
    const auto factor = [&](int b, int axis) {
      return gas_->center_factor(axis,
                                 setup_.grid.velocity(axis, b) + sphere_class.parity[axis] * setup_.spacing() / 2);
    };
    const double distance_factor = gas_->distance_factor(sphere_class.distance2 * setup_.spacing() * setup_.spacing());
    std::vector<double> along_x(static_cast<std::size_t>(n_));
    for (int x = 0; x < n_; ++x) along_x[static_cast<std::size_t>(x)] = factor(x, 0);
    rows_.for_each([&](int first, int count, int y, int z) {
      const double row = distance_factor * factor(y, 1) * factor(z, 2);
      Real* gain = gain_ + node(0, y, z);
      for (int x = first; x < first + count; ++x)
        gain[x] *= static_cast<Real>(row * along_x[static_cast<std::size_t>(x)]);
    });
  }

  const CollisionSetup& setup_;
  const SupportRows& support_rows_;
  const Real* f_;
  const PaddedHostField<Real>& field_;
  Real* gain_;  ///< [nodes³] A by the node number of the center index
  int n_;
  const GasState* gas_;
  CenterRows rows_;
  std::vector<double> rates_;
};

template <class Real>
struct InterpolatedSpheres : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereClasses classes;
  SupportRows rows;

  InterpolatedSpheres(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), classes(setup_.support()), rows(setup_.support()) {}

  void evaluate(const Real* f, Real* q) override {
    with_points(setup.options.interpolation, [&](auto points) { evaluate_points<points()>(f, q); });
  }

  template <int points>
  void evaluate_points(const Real* f, Real* q) {
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    const InterpolatedField<Real> source(frame, scratch.queue(), setup, f);
    const PaddedHostField<Real> field(frame, source.value, setup.n());
    Real* gains = frame.array<Real>(work_groups * nodes).data;
    sum_work_groups(setup, scratch, nodes, q, [&](int group, Real* group_q) {
      ClassSum<Real, points> sum(setup, rows, f, field, gains + group * nodes,
                                 source.factor == nullptr ? nullptr : &source.gas);
      for (const SphereClass& sphere_class : classes.group(group)) sum.add(sphere_class, group_q);
    });
  }
};

}  // namespace

const OperatorFactory interpolated_spheres = operator_factory<InterpolatedSpheres>();

}  // namespace shoal::collision
