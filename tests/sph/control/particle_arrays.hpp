// SPDX-License-Identifier: Apache-2.0
// Arrays of particles for tests: host copies of strided views, and values on the device of a solver.
#pragma once
#include <shoal/sph.hpp>

#include <array>
#include <cstdint>
#include <string>
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

/// Values of new particles on the device of a solver.
class NewValuesOnDevice {
 public:
  /// @param positions,velocities  [n]; velocities of one element are those of all
  NewValuesOnDevice(const sph::Particles& particles, const std::vector<sph::Vector>& positions,
                    const std::vector<sph::Vector>& velocities) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(particles.dimensions()); ++axis) {
      std::vector<double> x, v;
      for (std::size_t k = 0; k < positions.size(); ++k) {
        x.push_back(positions[k][axis]);
        v.push_back(velocities[velocities.size() > 1 ? k : 0][axis]);
      }
      position_[axis] = to_device(particles.queue(), x);
      velocity_[axis] = to_device(particles.queue(), v);
    }
  }

  sph::NewParticles particles(const std::string& material = {}) const {
    return {{position_[0], position_[1], position_[2]}, {velocity_[0], velocity_[1], velocity_[2]}, material};
  }

 private:
  std::array<Array<double>, 3> position_, velocity_;
};

/// Adds particles from host vectors. Returns the id of the first.
inline std::int64_t add_from_host(sph::Particles& particles, const std::vector<sph::Vector>& positions,
                                  const std::vector<sph::Vector>& velocities = {{}}, const std::string& material = {}) {
  const NewValuesOnDevice values(particles, positions, velocities);
  return particles.add(values.particles(material));
}

/// Removes particles by ids from the host.
inline std::int64_t remove_from_host(sph::Particles& particles, const std::vector<std::int64_t>& ids) {
  const Array<std::int64_t> named = to_device(particles.queue(), ids);
  return particles.remove(named);
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
