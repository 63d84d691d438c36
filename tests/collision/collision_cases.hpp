// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/collision.hpp>

#include <algorithm>

#include "collision/collision_method.hpp"
#include "support/exact_collision.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::testing_support {

/// Q on the host.
/// @throws Error  that of Queue::wait()
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

/// A gas of each model, with a collision frequency of about 1 for n = 1 and k T / m = 1, in units in which Boltzmann's
/// constant times the reference temperature over the mass is 1.
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

/// Named options of an approach.
struct CollisionCase {
  std::string name;
  CollisionOptions options;
};

/// All variants of all approaches, on few directions, since the methods that process pairs are slow.
inline std::vector<CollisionCase> every_variant() {
  std::vector<CollisionCase> cases;
  const auto add_balls = [&] {
    for (CollisionCase in_ball : std::vector<CollisionCase>(cases)) {
      in_ball.name += "_ball";
      in_ball.options.support = CollisionSupport::ball;
      cases.push_back(in_ball);
    }
  };
  for (std::size_t k = 0; k < enumerator_names<VelocityInterpolation>.size(); ++k)
    for (const bool over_maxwellian : {false, true})
      cases.push_back(
          {std::string(enumerator_names<VelocityInterpolation>[k]) + (over_maxwellian ? "_over_maxwellian" : ""),
           {.approach = CollisionApproach::interpolated,
            .interpolation = static_cast<VelocityInterpolation>(k),
            .over_maxwellian = over_maxwellian}});
  cases.push_back({"statistical",
                   {.approach = CollisionApproach::interpolated,
                    .integration = CollisionIntegration::statistical,
                    .samples = 3000}});
  for (std::size_t k = 0; k < enumerator_names<CollisionStencil>.size(); ++k)
    for (const bool symmetrized : {false, true})
      cases.push_back(
          {std::string(enumerator_names<CollisionStencil>[k]) + (symmetrized ? "_symmetrized" : "_loss_only"),
           {.approach = CollisionApproach::conservative,
            .stencil = static_cast<CollisionStencil>(k),
            .symmetrized = symmetrized}});
  add_balls();
  cases.push_back({"spectral", {.approach = CollisionApproach::spectral}});
  cases.push_back({"carleman", {.approach = CollisionApproach::carleman}});
  for (CollisionCase& variant : cases) {
    // Directions in a plane of the grid have points halfway between two nodes, where texture units may take either.
    const bool steps = variant.options.interpolation == VelocityInterpolation::nearest;
    variant.options.directions.degree = steps ? 7 : 5;
  }
  return cases;
}

/// A method with a variant that it supports.
struct MethodVariant {
  MethodInfo method;
  CollisionCase variant;
};

inline DeviceKind device_kind(const MethodVariant& parameter) { return parameter.method.device; }

inline std::vector<MethodVariant> every_method_variant() {
  std::vector<MethodVariant> parameters;
  for (const collision::CollisionMethod& method : collision::collision_method_table())
    for (CollisionCase variant : every_variant()) {
      const bool statistical = variant.options.integration == CollisionIntegration::statistical;
      if (!method.supports(variant.options.approach) || (statistical && !method.one_by_one)) continue;
      variant.options.method = method.name;
      parameters.push_back({method_info("collision", method), variant});
    }
  return parameters;
}

/// "serial_trilinear_cpu".
inline std::string method_variant_name(const testing::TestParamInfo<MethodVariant>& test) {
  const auto& [method, variant] = test.param;
  return method.name + "_" + variant.name + "_" + device_word(method.device);
}

class CollisionMethodTest : public TestOnDevice<MethodVariant> {
 protected:
  CollisionOptions options() const { return GetParam().variant.options; }
  bool uses(CollisionApproach approach) const { return options().approach == approach; }
  bool is_serial() const { return GetParam().method.name == "serial"; }
  /// True for methods that process pair after pair.
  bool is_slow() const { return is_serial() || GetParam().method.name == "pairs"; }
  /// True if a rounded position changes Q by rounding only.
  bool is_continuous() const {
    return uses(CollisionApproach::interpolated) && options().interpolation != VelocityInterpolation::nearest;
  }
  /// Options of a comparison of a method with itself, which every direction takes part in alike.
  CollisionOptions few_directions() const {
    CollisionOptions few = options();
    few.directions.degree = 3;
    return few;
  }
  bool supports(const Molecules& molecules) const {
    return molecules.model != MoleculeModel::vss ||
           (!uses(CollisionApproach::carleman) && GetParam().method.name != "spheres");
  }

  /// Largest relative difference from `serial`. Most methods differ from it by rounding, as they add in another order.
  /// Texture units have weights in steps of 1/256: half a step on each axis for both molecules of a product. Stepwise
  /// interpolation is within the same bound if a unit rounds positions to these steps.
  double tolerance(double rounding) const {
    constexpr double filter_error = 6 * 0.5 / 256, float_texels = 1e-6;
    if (GetParam().method.name != "texture") return rounding;
    return options().interpolation == VelocityInterpolation::cubic ? std::max(rounding, float_texels) : filter_error;
  }
};

}  // namespace shoal::testing_support
