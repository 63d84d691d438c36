// SPDX-License-Identifier: Apache-2.0
// spheres, conservative: collisions are placed once for all pairs that share a sphere, row by row.
//
// idea           pairs with the same center and distance put their mass onto the same nodes: their products f f₁ are
//                added up first, then moved once a direction. For a class of pairs with the same parity and distance
//                the stencil is the same for every center: a row of centers gives to rows of nodes, without atomics
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         98 numbers a node and one for each displacement
// atomics        none
// deterministic  yes: classes in 16 groups whatever the number of threads, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order
#include <cmath>

#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spheres/sphere_classes.hpp"
#include "core/cpu_variants.hpp"

namespace shoal {

namespace {

/// A row of spheres: what their pairs bring and get back, by base.
template <class Real>
struct SphereSums {
  Real* product;  ///< Σ f f₁ over the pairs of a sphere
  Real* pairs;    ///< how many they are
  Real* rate;     ///< Σ rates of the directions that take place
  Real* inverse;  ///< Σ rate · product of the inverse collision
  Real* moved;    ///< of one direction

  SphereSums at(std::int64_t base) const {
    return {product + base, pairs + base, rate + base, inverse + base, moved + base};
  }
};

template <class Real>
SHOAL_CPU_VARIANTS void add_row_of_pairs(const Real* upper, const Real* lower, int count, SphereSums<Real> sums) {
  for (int x = 0; x < count; ++x) sums.product[x] += upper[x] * lower[x];
  for (int x = 0; x < count; ++x) sums.pairs[x] += 1;
}

/// out[x] += weight · in[x]
template <class Real>
SHOAL_CPU_VARIANTS void add_scaled(const Real* in, Real weight, int count, Real* out) {
  for (int x = 0; x < count; ++x) out[x] += weight * in[x];
}

/// A direction without inverse collisions.
template <class Real>
SHOAL_CPU_VARIANTS void move_forward(Real rate, int count, SphereSums<Real> sums) {
  for (int x = 0; x < count; ++x) sums.moved[x] = rate * sums.product[x];
  for (int x = 0; x < count; ++x) sums.rate[x] += rate;
}

/// A direction with inverse collisions; `moved` comes with the logarithms of their products.
template <class Real>
SHOAL_CPU_VARIANTS void move_both_ways(Real rate, int count, SphereSums<Real> sums) {
  for (int x = 0; x < count; ++x) {
    const Real exponent = sums.moved[x];
    const bool defined = exponent < infinite<Real>;
    const Real inverse = defined ? std::exp(exponent) : 0;
    const Real half_rate = defined ? rate / 2 : 0;
    sums.moved[x] = half_rate * (sums.product[x] - sums.pairs[x] * inverse);
    sums.rate[x] += half_rate;
    sums.inverse[x] += half_rate * inverse;
  }
}

/// Takes from each pair's nodes what its collisions moved. The rows of both nodes may be one, shifted; so each has a
/// loop of its own, in which elements are independent.
template <class Real>
SHOAL_CPU_VARIANTS void take_from_pairs(const Real* f_upper, const Real* f_lower, const SphereSums<Real> sums,
                                        int count, Real* q_upper, Real* q_lower) {
  for (int x = 0; x < count; ++x) q_upper[x] -= f_upper[x] * f_lower[x] * sums.rate[x] - sums.inverse[x];
  for (int x = 0; x < count; ++x) q_lower[x] -= f_upper[x] * f_lower[x] * sums.rate[x] - sums.inverse[x];
}

template <class Real>
class ClassCollisions {
 public:
  ClassCollisions(const CollisionSetup& setup, const SupportRows& rows, const Real* f, const Real* logs,
                  const SphereSums<Real>& sums)
      : setup_(setup), support_(setup.support()), support_rows_(rows), f_(f), logs_(logs), sums_(sums), n_(setup.n()) {}

  void add(const SphereClass& of, Real* q) {
    rows_.make(of, support_);
    rows_.for_each([&](int first, int count, int y, int z) {
      for (Real* sum : {sums_.product, sums_.pairs, sums_.rate, sums_.inverse})
        std::fill_n(sum + node(first, y, z), count, Real(0));
    });
    of.for_each_row_of_pairs(support_rows_, [&](std::int64_t base, std::int64_t upper, std::int64_t lower, int count) {
      add_row_of_pairs(f_ + upper, f_ + lower, count, sums_.at(base));
    });
    direction_rates(setup_, of.half.front(), rates_);
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const double* n = setup_.directions.at[k].data();
      add_direction(of, stencil_of(setup_.options.stencil, of.parity, of.square, n), static_cast<Real>(rates_[k]), q);
    }
    of.for_each_row_of_pairs(support_rows_, [&](std::int64_t base, std::int64_t upper, std::int64_t lower, int count) {
      take_from_pairs(f_ + upper, f_ + lower, sums_.at(base), count, q + upper, q + lower);
    });
  }

 private:
  std::int64_t node(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n_ + y) * n_ + x; }

  void add_direction(const SphereClass& of, const StencilTaps& taps, Real rate, Real* q) {
    if (taps.count == 0) return;
    BaseRange inside[3];
    for (int axis = 0; axis < 3; ++axis) inside[axis] = bases_inside(taps, of.parity[axis], axis, n_);
    std::int64_t to[2 * StencilTaps::most];  // from the base to the nodes of both molecules
    Real weight[StencilTaps::most];
    for (int t = 0; t < taps.count; ++t) {
      const int* o = taps.offset[t];
      to[2 * t] = node(o[0], o[1], o[2]);
      to[2 * t + 1] = node(of.parity[0] - o[0], of.parity[1] - o[1], of.parity[2] - o[2]);
      weight[t] = static_cast<Real>(taps.weight[t]);
    }
    rows_.for_each([&](int first, int count, int y, int z) {
      if (y < inside[1].first || y > inside[1].last || z < inside[2].first || z > inside[2].last) return;
      int end = std::min(first + count, inside[0].last + 1);
      first = std::max(first, inside[0].first);
      const auto takes_place = [&](int x) {
        const int b[3] = {x, y, z};
        return support_.has_stencils(b, of.parity, taps.middle);
      };
      while (first < end && !takes_place(first)) ++first;
      while (end > first && !takes_place(end - 1)) --end;
      count = end - first;
      if (count <= 0) return;
      const std::int64_t base = node(first, y, z);
      const SphereSums<Real> sums = sums_.at(base);
      if (setup_.options.symmetrized) {
        std::fill_n(sums.moved, count, Real(0));
        for (int t = 0; t < 2 * taps.count; ++t) add_scaled(logs_ + base + to[t], weight[t / 2], count, sums.moved);
        move_both_ways(rate, count, sums);
      } else {
        move_forward(rate, count, sums);
      }
      for (int t = 0; t < 2 * taps.count; ++t) add_scaled(sums.moved, weight[t / 2], count, q + base + to[t]);
    });
  }

  const CollisionSetup& setup_;
  const VelocitySupport support_;
  const SupportRows& support_rows_;
  const Real* f_;
  const Real* logs_;
  SphereSums<Real> sums_;
  int n_;
  SphereRows rows_;
  std::vector<double> rates_;
};

template <class Real>
struct ConservativeSpheres : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereClasses classes;
  SupportRows rows;

  ConservativeSpheres(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), classes(setup_.support()), rows(setup_.support()) {}

  void evaluate(const Real* f, Real* q) override {
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    const Real* logs = logarithms<Real>(frame, setup, f);
    constexpr int arrays = 5;
    Real* memory = frame.array<Real>(collision_groups * arrays * nodes).data;
    add_all_groups(scratch, nodes, q, [&](int group, Real* own) {
      Real* of_group = memory + group * arrays * nodes;
      const SphereSums<Real> sums{of_group, of_group + nodes, of_group + 2 * nodes, of_group + 3 * nodes,
                                  of_group + 4 * nodes};
      ClassCollisions<Real> collisions(setup, rows, f, logs, sums);
      for (const SphereClass& of : classes.of_group(group)) collisions.add(of, own);
    });
  }
};

}  // namespace

const OperatorMakers conservative_spheres = makers_of<ConservativeSpheres>();

}  // namespace shoal
