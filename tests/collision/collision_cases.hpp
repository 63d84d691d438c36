// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/collision.hpp>

#include <algorithm>

#include "collision/collision_method.hpp"
#include "support/devices.hpp"
#include "support/exact_collision.hpp"
#include "support/messages.hpp"

namespace shoal::testing_support {

/// Q on the host; throws what wait() throws.
template <class Real>
std::vector<Real> collided(const Queue& queue, const VelocityGrid& grid, const CollisionOptions& options,
                           const std::vector<Real>& f, const Molecules& molecules = {.rate = 1}) {
  Collision<Real> collision(queue, grid, molecules, options);
  const Array<Real> device_f = to_device(queue, f);
  Array<Real> q(queue, device_f.count());
  collision.evaluate(device_f, q);
  return to_host(queue, q);
}

template <class Real>
std::vector<Real> serial(const VelocityGrid& grid, CollisionOptions options, const std::vector<Real>& f,
                         const Molecules& molecules = {.rate = 1}) {
  options.method = "serial";
  return collided(Queue::cpu(1), grid, options, f, molecules);
}

/// Gases of every model whose collision frequency is about 1 for n = 1 and k T / m = 1; in units in which Boltzmann's
/// constant over the mass times the reference temperature is 1.
inline std::vector<Molecules> every_gas() {
  const Molecules vhs{.model = MoleculeModel::vhs,
                      .diameter = 0.4,
                      .viscosity_exponent = 0.81,
                      .reference_temperature = 1,
                      .mass = 1.380649e-23};
  Molecules vss = vhs;
  vss.model = MoleculeModel::vss;
  vss.scattering_exponent = 1.4;
  return {{.rate = 1}, {.model = MoleculeModel::hard_sphere, .diameter = 0.4}, vhs, vss};
}

/// An approach with options, and what to call it.
struct CollisionCase {
  std::string name;
  CollisionOptions options;
};

/// All variants of all approaches.
inline std::vector<CollisionCase> every_variant() {
  std::vector<CollisionCase> cases;
  const auto with_both_supports = [&] {
    for (CollisionCase one : std::vector<CollisionCase>(cases)) {
      one.name += "_ball";
      one.options.support = CollisionSupport::ball;
      cases.push_back(one);
    }
  };
  for (const VelocityInterpolation between : {VelocityInterpolation::trilinear, VelocityInterpolation::cubic})
    for (const bool over : {false, true})
      cases.push_back(
          {std::string(to_name(between)) + (over ? "_over_maxwellian" : ""),
           {.approach = CollisionApproach::interpolated, .interpolation = between, .over_maxwellian = over}});
  for (std::size_t k = 0; k < enumerator_names<CollisionStencil>.size(); ++k)
    for (const bool symmetrized : {false, true})
      cases.push_back(
          {std::string(enumerator_names<CollisionStencil>[k]) + (symmetrized ? "_symmetrized" : "_loss_only"),
           {.approach = CollisionApproach::conservative,
            .stencil = static_cast<CollisionStencil>(k),
            .symmetrized = symmetrized}});
  with_both_supports();
  cases.push_back({"spectral", {.approach = CollisionApproach::spectral}});
  cases.push_back({"carleman", {.approach = CollisionApproach::carleman}});
  for (CollisionCase& one : cases) one.options.directions.degree = 5;  // pair by pair is slow
  return cases;
}

/// A row of the method table with a variant that it knows.
struct CollisionRow {
  MethodInfo method;
  CollisionCase variant;
};

inline std::vector<CollisionRow> every_collision_row() {
  std::vector<CollisionRow> rows;
  for (const CollisionMethod& row : collision_rows())
    for (CollisionCase variant : every_variant()) {
      if (!row.knows(variant.options.approach)) continue;
      variant.options.method = row.name;
      rows.push_back({method_info("collision", row), variant});
    }
  return rows;
}

class EveryCollisionMethod : public testing::TestWithParam<CollisionRow> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam().method.device); }
  Queue queue() const { return queue_on(GetParam().method.device); }
  CollisionOptions options() const { return GetParam().variant.options; }
  bool is_serial() const { return GetParam().method.name == "serial"; }
  bool is_naive() const { return is_serial() || GetParam().method.name == "pairs"; }
  /// How far from `serial` a row may be: sums in another order. Texture units weigh in steps of 1/256: half a step on
  /// each axis for both molecules of a product.
  double apart(double rounding) const {
    if (GetParam().method.name != "texture") return rounding;
    return options().interpolation == VelocityInterpolation::cubic ? std::max(rounding, 1e-6) : 6. / 512;
  }
  bool is(CollisionApproach approach) const { return options().approach == approach; }
  bool takes(const Molecules& molecules) const {
    return molecules.model != MoleculeModel::vss ||
           (!is_fourier(options().approach) && GetParam().method.name != "spheres");
  }
};

#define SHOAL_EVERY_COLLISION_METHOD(Suite)                                                                   \
  INSTANTIATE_TEST_SUITE_P(Rows, Suite, testing::ValuesIn(every_collision_row()), [](const auto& row) {       \
    return row.param.method.name + "_" + row.param.variant.name + "_" + device_word(row.param.method.device); \
  })

}  // namespace shoal::testing_support
