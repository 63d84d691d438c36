// SPDX-License-Identifier: Apache-2.0
// Particles of fluid that a program adds, made from its values on the host.
#pragma once
#include <array>
#include <vector>

#include "sph/control/change/change_item.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Values of a program, the same on all ranks.
struct NewValues {
  int material = 0;                             ///< index into Case::materials
  std::array<std::vector<double>, 3> position;  ///< [n] m, along each axis
  std::array<std::vector<double>, 3> velocity;  ///< [n] m/s
  std::vector<double> density;                  ///< [n] kg/m³; empty: that of the material
  std::vector<double> energy;                   ///< [n] J/kg; empty: 0

  std::size_t count() const { return position[0].size(); }
};

/// Index of the material of a name; of an empty one that of the only material.
/// @throws Error  the case has no such material, or several and no name is given
int material_of_new_particles(const Case& simulation, std::string_view name);

/// State of new particles, with ids that count up.
/// @param parameters  those of the whole domain
/// @throws Error      a value is not finite, a position is outside the domain, a density is not positive or beyond the
///                    equation of state: names the first one
template <class Real, int dimensions>
HostState<Real, dimensions> make_new_particles(const Case& simulation, const Lattice& lattice,
                                               const Parameters<Real, dimensions>& parameters, const NewValues& values,
                                               std::int64_t first_id);

/// Mass of a new particle as a run keeps it, kg.
template <class Real>
double new_particle_mass(const Case& simulation, int material);

/// Longest step that new particles allow, s; infinite with a fixed step.
template <class Real, int dimensions>
double step_of_new_particles(const Parameters<Real, dimensions>& parameters, HostState<Real, dimensions>& added);

/// Positions of new particles in the order of their cells.
template <class Real, int dimensions>
class SortedPositions {
 public:
  /// @param least  least distance of particles, m
  SortedPositions(const Parameters<Real, dimensions>& parameters,
                  const std::vector<PositionDensity<Real, dimensions>>& position, double least);

  const std::vector<PositionDensity<Real, dimensions>>& position() const { return position_; }
  const std::vector<std::uint32_t>& cell() const { return cell_; }
  const std::vector<std::int32_t>& number() const { return number_; }
  NewPositions<Real, dimensions> view() const {
    return {position_.data(), cell_.data(), number_.data(), static_cast<std::int32_t>(position_.size()),
            least_squared_};
  }

 private:
  std::vector<PositionDensity<Real, dimensions>> position_;
  std::vector<std::uint32_t> cell_;
  std::vector<std::int32_t> number_;
  Real least_squared_;
};

/// @throws Error  two new particles are too near to each other
template <class Real, int dimensions>
void require_apart(const Parameters<Real, dimensions>& parameters, const SortedPositions<Real, dimensions>& sorted,
                   const NewValues& values, double least);

/// Position of a new particle for a message: "position[3] = (0.1, 0.2) m".
std::string text_of_position(const NewValues& values, std::size_t k, int dimensions);

}  // namespace shoal::sph
