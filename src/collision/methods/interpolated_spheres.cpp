// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated: the directions are summed once for all pairs that share a sphere.
//
// idea           pairs with the same center and distance have the same velocities after a collision: A(center) = Σ_n
//                f(v′) f(v₁′) once, then each pair adds A − f f₁ to both its nodes. For a class of pairs with the same
//                parity and distance the interpolation weights are the same at every node: rows in vector instructions
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         18 numbers a node and one for each displacement
// atomics        none
// deterministic  yes: classes in 16 groups whatever the number of threads, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order
#include "collision/interpolated/interpolated_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spheres/sphere_classes.hpp"
#include "core/cpu_variants.hpp"

namespace shoal {

namespace {

constexpr int most_nodes = 128;  ///< along an axis

/// A field with a frame of zeros, so that stencils may reach over the edge of the grid.
template <class Real>
struct FramedField {
  static constexpr int frame = 3;
  int width;
  Real* value;

  /// In memory of the scratch's frame.
  FramedField(ScratchFrame& memory, const Real* inside, int n) : width(n + 2 * frame) {
    const std::int64_t count = static_cast<std::int64_t>(width) * width * width;
    value = memory.array<Real>(count).data;
    std::fill_n(value, count, Real(0));
    for (int row = 0; row < n * n; ++row) std::copy_n(inside + row * n, n, value + offset(0, row % n, row / n));
  }
  std::int64_t offset(int x, int y, int z) const {
    return (static_cast<std::int64_t>(z + frame) * width + y + frame) * width + x + frame;
  }
};

/// What is interpolated along y and z, for a row of nodes; the weights are the same for all of it.
template <class Real, int taps>
SHOAL_HD void contract_rows(const Interpolant<Real, taps>& at, const Real* first, std::int64_t width, int count,
                            Real* __restrict line) {
  Real weight[taps][taps];
  for (int tz = 0; tz < taps; ++tz)
    for (int ty = 0; ty < taps; ++ty) weight[tz][ty] = at.weight[1][ty] * at.weight[2][tz];
  for (int x = 0; x < count; ++x) {
    Real sum = 0;
    for (int tz = 0; tz < taps; ++tz)
      for (int ty = 0; ty < taps; ++ty) sum += weight[tz][ty] * first[(tz * width + ty) * width + x];
    line[x] = sum;
  }
}

/// sum[x] += rate · f(v′) f(v₁′) for a row of bases, the first nodes of whose stencils are given.
template <class Real, int taps>
SHOAL_CPU_VARIANTS void add_products(const Interpolant<Real, taps>& here, const Real* first_here,
                                     const Interpolant<Real, taps>& there, const Real* first_there, std::int64_t width,
                                     Real rate, int count, Real* __restrict sum) {
  Real line_here[most_nodes + taps], line_there[most_nodes + taps];
  contract_rows(here, first_here, width, count + taps - 1, line_here);
  contract_rows(there, first_there, width, count + taps - 1, line_there);
  for (int x = 0; x < count; ++x) {
    Real value_here = 0, value_there = 0;
    for (int t = 0; t < taps; ++t) {
      value_here += here.weight[0][t] * line_here[x + t];
      value_there += there.weight[0][t] * line_there[x + t];
    }
    sum[x] += rate * (value_here * value_there);
  }
}

/// Adds what a row of pairs gains and loses: upper and lower are the nodes of the same pairs. Their rows may be one,
/// shifted; so each has a loop of its own, in which elements are independent.
template <class Real>
SHOAL_CPU_VARIANTS void add_pairs(const Real* gain, Real rate, const Real* f_upper, const Real* f_lower, int count,
                                  Real* q_upper, Real* q_lower) {
  for (int x = 0; x < count; ++x) q_upper[x] += gain[x] - rate * (f_upper[x] * f_lower[x]);
  for (int x = 0; x < count; ++x) q_lower[x] += gain[x] - rate * (f_upper[x] * f_lower[x]);
}

template <class Real, int taps>
class ClassSum {
 public:
  /// @param gas  of M where f/M is interpolated; else null
  ClassSum(const CollisionSetup& setup, const SupportRows& rows, const Real* f, const FramedField<Real>& field,
           Real* gain, const GasState* gas)
      : setup_(setup), support_rows_(rows), f_(f), field_(field), gain_(gain), n_(setup.n()), gas_(gas) {}

  void add(const SphereClass& of, Real* q) {
    rows_.make(of, setup_.support());
    sum_spheres(of);
    const auto rate = static_cast<Real>(setup_.volume() * setup_.kernel.total(of.length() * setup_.spacing()));
    of.for_each_row_of_pairs(support_rows_, [&](std::int64_t base, std::int64_t upper, std::int64_t lower, int count) {
      add_pairs(gain_ + base, rate, f_ + upper, f_ + lower, count, q + upper, q + lower);
    });
  }

 private:
  std::int64_t node(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n_ + y) * n_ + x; }

  void sum_spheres(const SphereClass& of) {
    direction_rates(setup_, of.half.front(), rates_);
    rows_.for_each([&](int first, int count, int y, int z) { std::fill_n(gain_ + node(first, y, z), count, Real(0)); });
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const double* n = setup_.directions.at[k].data();
      const auto here = interpolant_at<Real, taps>(point_after(of.parity, of.length(), n, 1));
      const auto there = interpolant_at<Real, taps>(point_after(of.parity, of.length(), n, -1));
      add_direction(of, here, there, static_cast<Real>(rates_[k]));
    }
    if (gas_ != nullptr) multiply_maxwellians(of);
  }

  void add_direction(const SphereClass& of, const Interpolant<Real, taps>& here, const Interpolant<Real, taps>& there,
                     Real rate) {
    const VelocitySupport support = setup_.support();
    const int most = support.reach2(taps);
    int away[3];  // from the center to the middle of the nodes
    for (int axis = 0; axis < 3; ++axis) away[axis] = 2 * here.base[axis] + taps - 1 - of.parity[axis];
    const auto reaches = [&](int b, int axis) {
      return b + std::min(here.base[axis], there.base[axis]) > -taps &&
             b + std::max(here.base[axis], there.base[axis]) < n_;
    };
    rows_.for_each([&](int first, int count, int y, int z) {
      if (!reaches(y, 1) || !reaches(z, 2)) return;
      int end = first + count;
      const auto gains = [&](int x) {
        const int c[3] = {support.center(x, of.parity[0]), support.center(y, of.parity[1]),
                          support.center(z, of.parity[2])};
        return reaches(x, 0) && support.farther_square(c, away) <= most;
      };
      while (first < end && !gains(first)) ++first;
      while (end > first && !gains(end - 1)) --end;
      if (first == end) return;
      const auto start = [&](const Interpolant<Real, taps>& at) {
        return field_.value + field_.offset(first + at.base[0], y + at.base[1], z + at.base[2]);
      };
      add_products(here, start(here), there, start(there), field_.width, rate, end - first, gain_ + node(first, y, z));
    });
  }

  void multiply_maxwellians(const SphereClass& of) {
    const auto share = [&](int b, int axis) {
      return gas_->pair_share(axis, setup_.grid.at(axis, b) + of.parity[axis] * setup_.spacing() / 2);
    };
    const double apart = gas_->distance_share(of.square * setup_.spacing() * setup_.spacing());
    std::vector<double> along_x(static_cast<std::size_t>(n_));
    for (int x = 0; x < n_; ++x) along_x[static_cast<std::size_t>(x)] = share(x, 0);
    rows_.for_each([&](int first, int count, int y, int z) {
      const double row = apart * share(y, 1) * share(z, 2);
      Real* gain = gain_ + node(0, y, z);
      for (int x = first; x < first + count; ++x)
        gain[x] *= static_cast<Real>(row * along_x[static_cast<std::size_t>(x)]);
    });
  }

  const CollisionSetup& setup_;
  const SupportRows& support_rows_;
  const Real* f_;
  const FramedField<Real>& field_;
  Real* gain_;  ///< [nodes³] by base
  int n_;
  const GasState* gas_;
  SphereRows rows_;
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
    if (setup.options.interpolation == VelocityInterpolation::cubic)
      evaluate_with<4>(f, q);
    else
      evaluate_with<2>(f, q);
  }

  template <int taps>
  void evaluate_with(const Real* f, Real* q) {
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    const InterpolatedField<Real> what(frame, scratch.queue(), setup, f);
    const FramedField<Real> field(frame, what.value, setup.n());
    Real* gains = frame.array<Real>(collision_groups * nodes).data;
    add_all_groups(scratch, nodes, q, [&](int group, Real* own) {
      ClassSum<Real, taps> sum(setup, rows, f, field, gains + group * nodes,
                               what.factor == nullptr ? nullptr : &what.gas);
      for (const SphereClass& of : classes.of_group(group)) sum.add(of, own);
    });
  }
};

}  // namespace

const OperatorMakers interpolated_spheres = makers_of<InterpolatedSpheres>();

}  // namespace shoal
