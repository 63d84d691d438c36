// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <bit>
#include <random>

namespace shoal::testing_support {

/// Small valid case: a drop of water in 2-D.
inline sph::Case sample_case() {
  sph::Case simulation;
  simulation.text = "kind = \"sph\"  # a stand-in for a case file\n";
  simulation.spacing = 0.1;
  simulation.smoothing = 1;
  simulation.duration = 1;
  simulation.output.every = 0.25;
  sph::Material water;
  water.name = "water";
  water.density = 1000;
  water.sound_speed = 20;
  simulation.materials = {water};
  sph::Body body;
  body.material = "water";
  body.box.to = {1, 1, 0};
  simulation.bodies = {body};
  return simulation;
}

/// Fields of `ids.size()` particles; each value identifies its particle and state.
inline sph::Fields sample_fields(double time, std::vector<std::int64_t> ids) {
  sph::Fields fields;
  fields.clock.time = time;
  fields.clock.step = static_cast<std::int64_t>(time * 1000);
  fields.clock.particles = static_cast<std::int64_t>(ids.size());
  for (const std::int64_t id : ids) {
    const auto number = static_cast<float>(id) + static_cast<float>(time);
    fields.material.push_back(static_cast<std::uint8_t>(id % 2));
    fields.wall.push_back(id % 5 == 0);
    fields.wall_number.push_back(id % 5 == 0 ? static_cast<std::int32_t>(id / 5) : -1);
    fields.body.push_back(id % 5 == 0 ? -1 : static_cast<std::int32_t>(id % 3));
    fields.position.insert(fields.position.end(), {number, number + 1000, 0.0});
    fields.velocity.insert(fields.velocity.end(), {-number, number * 2, 0.0F});
    fields.density.push_back(1000 + number);
    fields.pressure.push_back(number * 3);
    fields.energy.push_back(number * 4);
    fields.viscosity.push_back(number * 5);
    fields.vorticity.insert(fields.vorticity.end(), {0.0F, number * 6, number * 7});
  }
  fields.id = std::move(ids);
  return fields;
}

/// Snapshot in 2-D with random bits in every array, NaN excluded.
inline sph::Snapshot random_snapshot(std::size_t particles, unsigned seed = 1) {
  std::mt19937_64 bits(seed);
  const auto number = [&bits] {
    while (true) {
      const auto value = std::bit_cast<double>(bits());
      if (value == value) return value;
    }
  };
  sph::Snapshot snapshot;
  snapshot.clock = {number(), 123, number(), number(), static_cast<std::int64_t>(particles), 7};
  snapshot.changes = {1234567890123, 19, 3.25};
  for (std::size_t i = 0; i < particles; ++i) {
    snapshot.id.push_back(static_cast<std::int64_t>(bits()));
    snapshot.tag.push_back(static_cast<std::uint8_t>(bits()));
    for (std::size_t axis = 0; axis < 2; ++axis) {
      snapshot.coordinate[axis].push_back(static_cast<std::int64_t>(bits()));
      snapshot.velocity[axis].push_back(number());
    }
    for (auto* array :
         {&snapshot.density_deviation, &snapshot.pressure_over_density2, &snapshot.energy, &snapshot.viscosity})
      array->push_back(number());
  }
  return snapshot;
}

}  // namespace shoal::testing_support
