// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision/relaxation.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace shoal::collision {

/// Exact solution of Bobylev (1975) and of Krook and Wu (1976): relaxation of an isotropic gas of Maxwell molecules at
/// rest. With K = 1 − amplitude exp(−ν t / 6), x = c² / T and M the Maxwellian of temperature K T:
///
///     f = M [(5 K − 3) / (2 K) + (1 − K) x / (2 K²)],     <c^(2s)> / (2s + 1)!! = T^s K^(s − 1) (s − (s − 1) K)
struct BkwSolution {
  double density = 1;      ///< m⁻³
  double temperature = 1;  ///< m²/s², k T / m
  double frequency = 1;    ///< s⁻¹, collision frequency ν of a molecule
  double amplitude = 0.4;  ///< 1 − K at time 0; above 2/5 f is negative at rest

  /// K at a time.
  double k(double time) const;
  /// f for the squared peculiar velocity c², s³ m⁻⁶.
  double distribution(double c2, double time) const;
  /// ∂f/∂t = Q(f, f), s² m⁻⁶.
  double change(double c2, double time) const;
  EvenMoments moments(double time) const;
  /// −∫ f ln f, to about 1e-12.
  double entropy(double time) const;
};

/// Exact decay of the low moments of any distribution of isotropic Maxwell molecules, from the moments at time 0:
/// D = <c c> − T I decays as exp(−ν t / 2), and
///
///     <c⁴> = 15 T² + (<c⁴>₀ − 15 T² − D:D / 2) exp(−ν t / 3) + D:D / 2 exp(−ν t)
///
/// with D at time 0 on the right. It holds for an anisotropic gas, too, whose distribution is not known.
struct MaxwellDecay {
  double density = 1;                   ///< m⁻³
  double temperature = 1;               ///< m²/s², k T / m
  double frequency = 1;                 ///< s⁻¹, ν
  std::array<double, 6> deviator = {};  ///< m²/s², D: xx, yy, zz, xy, xz, yz
  double fourth = 15;                   ///< m⁴/s⁴, <c⁴>₀

  /// Returns the decay of a gas from its moments at time 0.
  /// @param m4  <c⁴> / 15
  static MaxwellDecay from_moments(const VelocityMoments& moments, double m4, double frequency);

  /// Stress ∫ c_i c_j f, m⁻¹ s⁻²: xx, yy, zz, xy, xz, yz.
  std::array<double, 6> stress(double time) const;
  /// Normalized moment <c⁴> / 15, m⁴/s⁴.
  double m4(double time) const;
};

/// Exact exchange of momentum and energy in a mixture of isotropic Maxwell molecules, from the moments of both species at time 0.
/// With a_k = m_k / (m_0 + m_1), κ the rate of unlike molecules, w the difference of the velocities and T_k = k T in units of the
/// masses:
///
///     dw/dt = −κ (a_1 n_1 + a_0 n_0) w,     dT_k/dt = 2 a_0 a_1 κ n_l (T_l − T_k + m_l w²/3)
///
/// It holds for any distribution.
struct MixtureDecay {
  std::array<double, 2> mass, density;
  double rate;                                    ///< m³/s, κ
  std::array<std::array<double, 3>, 2> velocity;  ///< m/s, at time 0
  std::array<double, 2> temperature;              ///< m²/s², k T / m, at time 0

  /// Mean velocity of a species, m/s.
  std::array<double, 3> velocity_at(std::size_t species, double time) const;
  /// k T / m of a species, m²/s².
  double temperature_at(std::size_t species, double time) const;
};

/// Two interpenetrating Maxwellian beams of half the density each.
struct TwoBeams {
  double density = 1;                         ///< m⁻³, both beams together
  double temperature = 0.6;                   ///< m²/s², k T / m of each beam
  std::array<double, 3> velocity = {};        ///< m/s, mean velocity
  std::array<double, 3> apart = {1.2, 0, 0};  ///< m/s, velocity of one beam relative to the mean; the other: −apart

  /// f, s³ m⁻⁶.
  double distribution(const std::array<double, 3>& v) const;
};

/// Maxwellian n / (2π T)^(3/2) exp(−c² / 2T).
double maxwellian_at(double density, double temperature, double c2);

/// Evaluates a function of velocity at the nodes of a grid, x fastest.
/// @param function  called with a velocity, std::array<double, 3>
template <class Real, class Function>
std::vector<Real> at_velocities(const VelocityGrid& grid, Function function) {
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(grid.node_count()));
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x)
        values.push_back(
            static_cast<Real>(function(std::array{grid.velocity(0, x), grid.velocity(1, y), grid.velocity(2, z)})));
  return values;
}

}  // namespace shoal::collision
