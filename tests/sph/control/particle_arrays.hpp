// SPDX-License-Identifier: Apache-2.0
// Arrays of particles for tests: host copies of strided views, and values on the device of a solver.
#pragma once
#include <shoal/sph.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace shoal::testing_support {

/// Host copy of a view of any stride.
template <class T>
std::vector<T> host_values(const Queue& queue, View<const T> view) {
  if (view.count == 0) return {};
  const std::vector<T> memory =
      to_host(queue, View<const T>(view.data, (view.count - 1) * view.stride + 1, view.device));
  std::vector<T> values;
  for (std::int64_t i = 0; i < view.count; ++i) values.push_back(memory[static_cast<std::size_t>(i * view.stride)]);
  return values;
}

/// Sets a quantity from host vectors, one an axis.
/// @param ids  empty: all rows
template <class Number>
void set_from_host(sph::Particles& particles, sph::Quantity quantity, const std::vector<std::vector<Number>>& columns,
                   const std::vector<std::int64_t>& ids = {}) {
  std::vector<Array<Number>> arrays;
  View<const Number> views[3];
  for (std::size_t k = 0; k < columns.size(); ++k) {
    arrays.push_back(to_device(particles.queue(), columns[k]));
    views[k] = arrays.back();
  }
  const sph::ParticleValues values(views[0], views[1], views[2]);
  if (ids.empty()) return particles.set(quantity, values);
  const Array<std::int64_t> named = to_device(particles.queue(), ids);
  particles.set(quantity, values, named);
}

/// Sets the same vector in all rows.
inline void set_everywhere(sph::Particles& particles, sph::Quantity quantity, const sph::Vector& vector) {
  std::vector<std::vector<double>> columns;
  for (int axis = 0; axis < particles.dimensions(); ++axis)
    columns.emplace_back(static_cast<std::size_t>(particles.count()), vector[static_cast<std::size_t>(axis)]);
  set_from_host(particles, quantity, columns);
}

/// A spring to a point: a = −stiffness (x − center), made on the host.
inline void set_spring(sph::Particles& particles, double stiffness, const sph::Vector& center) {
  const std::vector<double> position = to_host(particles.queue(), particles.position());
  const auto dimensions = static_cast<std::size_t>(particles.dimensions());
  std::vector<std::vector<double>> columns(dimensions);
  for (std::size_t k = 0; k < position.size(); ++k)
    columns[k % dimensions].push_back(-stiffness * (position[k] - center[k % dimensions]));
  set_from_host(particles, sph::Quantity::acceleration, columns);
}

}  // namespace shoal::testing_support
