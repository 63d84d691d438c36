// SPDX-License-Identifier: Apache-2.0
// spheres, conservative: collisions are computed once for all pairs that share a sphere, row by row.
//
// idea           pairs with the same center and distance share their stencils: their products f f₁ are added up, then
//                transferred once for each direction. For a sphere class (same parity and distance) the stencil is the
//                same at every center, so a row of centers adds to rows of nodes
// source         our own; approach of Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann
//                equation for GPU-based computations"
// memory         98 values per node and one for each displacement
// atomics        none
// deterministic  yes: classes in 16 work groups for any number of threads, added in order
// wins when      scattering is isotropic
// loses when     scattering is anisotropic: not available
// deviations     the sums of pairs in another order
#include <cmath>

#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"
#include "collision/spheres/sphere_classes.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

namespace {

/// Sums of the spheres of a class, by the node number of their center index.
template <class Real>
struct SphereSums {
  Real* product;      ///< Σ f f₁ over the pairs of a sphere
  Real* pairs;        ///< Number of pairs.
  Real* rate;         ///< Σ rates of the directions that take place
  Real* inverse;      ///< Σ rate · product of the inverse collision
  Real* transferred;  ///< Amount that the current direction transfers.

  /// Sums of the row that begins at a center.
  SphereSums row(std::int64_t center) const {
    return {product + center, pairs + center, rate + center, inverse + center, transferred + center};
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

/// Computes the transfer of a direction without inverse collisions.
template <class Real>
SHOAL_CPU_VARIANTS void transfer_forward(Real rate, int count, SphereSums<Real> sums) {
  for (int x = 0; x < count; ++x) sums.transferred[x] = rate * sums.product[x];
  for (int x = 0; x < count; ++x) sums.rate[x] += rate;
}

/// Computes the transfer of a direction with inverse collisions.
/// @param sums  `transferred` contains the logarithms of the inverse products and is overwritten
template <class Real>
SHOAL_CPU_VARIANTS void transfer_symmetrized(Real rate, int count, SphereSums<Real> sums) {
  for (int x = 0; x < count; ++x) {
    const Real exponent = sums.transferred[x];
    const bool defined = exponent < infinite<Real>;
    const Real inverse = defined ? std::exp(exponent) : 0;
    const Real half_rate = defined ? rate / 2 : 0;
    sums.transferred[x] = half_rate * (sums.product[x] - sums.pairs[x] * inverse);
    sums.rate[x] += half_rate;
    sums.inverse[x] += half_rate * inverse;
  }
}

/// Subtracts the transfers of each pair from its two nodes. The two rows of nodes may be the same row, shifted; each
/// therefore has its own loop, whose elements are independent.
template <class Real>
SHOAL_CPU_VARIANTS void subtract_from_pairs(const Real* f_upper, const Real* f_lower, const SphereSums<Real> sums,
                                            int count, Real* q_upper, Real* q_lower) {
  for (int x = 0; x < count; ++x) q_upper[x] -= f_upper[x] * f_lower[x] * sums.rate[x] - sums.inverse[x];
  for (int x = 0; x < count; ++x) q_lower[x] -= f_upper[x] * f_lower[x] * sums.rate[x] - sums.inverse[x];
}

/// Adds the collisions of sphere classes to a Q.
template <class Real>
class ClassCollisions {
 public:
  ClassCollisions(const CollisionSetup& setup, const SupportRows& rows, const Real* f, const Real* logs,
                  const SphereSums<Real>& sums)
      : setup_(setup), support_(setup.support()), support_rows_(rows), f_(f), logs_(logs), sums_(sums), n_(setup.n()) {}

  void add(const SphereClass& sphere_class, Real* q) {
    rows_.make(sphere_class, support_);
    rows_.for_each([&](int first, int count, int y, int z) {
      for (Real* sum : {sums_.product, sums_.pairs, sums_.rate, sums_.inverse})
        std::fill_n(sum + node(first, y, z), count, Real(0));
    });
    sphere_class.for_each_row_of_pairs(support_rows_,
                                       [&](std::int64_t center, std::int64_t upper, std::int64_t lower, int count) {
                                         add_row_of_pairs(f_ + upper, f_ + lower, count, sums_.row(center));
                                       });
    direction_rates(setup_, sphere_class.displacements.front(), rates_);
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const double* n = setup_.directions.point[k].data();
      add_direction(sphere_class, make_stencil(setup_.options.stencil, sphere_class.parity, sphere_class.distance2, n),
                    static_cast<Real>(rates_[k]), q);
    }
    sphere_class.for_each_row_of_pairs(
        support_rows_, [&](std::int64_t center, std::int64_t upper, std::int64_t lower, int count) {
          subtract_from_pairs(f_ + upper, f_ + lower, sums_.row(center), count, q + upper, q + lower);
        });
  }

 private:
  std::int64_t node(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n_ + y) * n_ + x; }

  void add_direction(const SphereClass& sphere_class, const Stencil& stencil, Real rate, Real* q) {
    if (stencil.count == 0) return;
    CenterRange inside[3];
    for (int axis = 0; axis < 3; ++axis) inside[axis] = centers_inside(stencil, sphere_class.parity[axis], axis, n_);
    std::int64_t node_offset[2 * Stencil::most];  // from the center index to the nodes of both molecules
    Real weight[Stencil::most];
    for (int t = 0; t < stencil.count; ++t) {
      const int* o = stencil.offset[t];
      node_offset[2 * t] = node(o[0], o[1], o[2]);
      node_offset[2 * t + 1] =
          node(sphere_class.parity[0] - o[0], sphere_class.parity[1] - o[1], sphere_class.parity[2] - o[2]);
      weight[t] = static_cast<Real>(stencil.weight[t]);
    }
    rows_.for_each([&](int first, int count, int y, int z) {
      if (y < inside[1].first || y > inside[1].last || z < inside[2].first || z > inside[2].last) return;
      int end = std::min(first + count, inside[0].last + 1);
      first = std::max(first, inside[0].first);
      const auto takes_place = [&](int x) {
        const int b[3] = {x, y, z};
        return support_.has_stencils(b, sphere_class.parity, stencil.nearest);
      };
      while (first < end && !takes_place(first)) ++first;
      while (end > first && !takes_place(end - 1)) --end;
      count = end - first;
      if (count <= 0) return;
      const std::int64_t center = node(first, y, z);
      const SphereSums<Real> sums = sums_.row(center);
      if (setup_.options.symmetrized) {
        std::fill_n(sums.transferred, count, Real(0));
        for (int t = 0; t < 2 * stencil.count; ++t)
          add_scaled(logs_ + center + node_offset[t], weight[t / 2], count, sums.transferred);
        transfer_symmetrized(rate, count, sums);
      } else {
        transfer_forward(rate, count, sums);
      }
      for (int t = 0; t < 2 * stencil.count; ++t)
        add_scaled(sums.transferred, weight[t / 2], count, q + center + node_offset[t]);
    });
  }

  const CollisionSetup& setup_;
  const VelocitySupport support_;
  const SupportRows& support_rows_;
  const Real* f_;
  const Real* logs_;
  SphereSums<Real> sums_;
  int n_;
  CenterRows rows_;
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
    Real* memory = frame.array<Real>(work_groups * arrays * nodes).data;
    sum_work_groups(setup, scratch, nodes, q, [&](int group, Real* group_q) {
      Real* group_memory = memory + group * arrays * nodes;
      const SphereSums<Real> sums{group_memory, group_memory + nodes, group_memory + 2 * nodes,
                                  group_memory + 3 * nodes, group_memory + 4 * nodes};
      ClassCollisions<Real> collisions(setup, rows, f, logs, sums);
      for (const SphereClass& sphere_class : classes.group(group)) collisions.add(sphere_class, group_q);
    });
  }
};

}  // namespace

const OperatorFactory conservative_spheres = operator_factory<ConservativeSpheres>();

}  // namespace shoal::collision
