// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace shoal {

/// The normalized moments that a relaxation is followed by: <c^p> / (p + 1)!! for p = 2, 4, 6, 8, 10, where c = v − u.
/// Those of a Maxwellian are T^(p/2) with T = k T / m.
/// Source: Malkov and Ivanov, figure 1.
inline constexpr std::size_t even_moment_count = 5;
using EvenMoments = std::array<double, even_moment_count>;

/// The solution of Bobylev (1975) and Krook and Wu (1976): an isotropic gas of Maxwell molecules at rest, on its way to
/// the Maxwellian. With K = 1 − amplitude exp(−ν t / 6), x = c² / T and M the Maxwellian of temperature K T:
///
///     f = M [(5 K − 3) / (2 K) + (1 − K) x / (2 K²)],     <c^(2s)> / (2s + 1)!! = T^s K^(s − 1) (s − (s − 1) K)
struct BkwSolution {
  double density = 1;      ///< m⁻³
  double temperature = 1;  ///< m²/s², k T / m
  double frequency = 1;    ///< s⁻¹, ν: how often a molecule collides
  double amplitude = 0.4;  ///< 1 − K at time 0; above 2/5 f would be negative at rest

  double k(double time) const;
  /// f at c² from the mean velocity, s³ m⁻⁶.
  double at(double c2, double time) const;
  /// ∂f/∂t = Q(f, f), s² m⁻⁶.
  double change(double c2, double time) const;
  EvenMoments moments(double time) const;
  /// −∫ f ln f, to about 1e-12.
  double entropy(double time) const;
};

/// What any distribution of isotropic Maxwell molecules does, from its first moments at time 0: D = <c c> − T I decays
/// as exp(−ν t / 2), and <c⁴> follows it:
///
///     <c⁴> = 15 T² + (<c⁴>₀ − 15 T² − D:D / 2) exp(−ν t / 3) + D:D / 2 exp(−ν t)
///
/// with D at time 0 on the right. So an anisotropic gas, whose distribution is not known, has exact curves, too.
struct MaxwellDecay {
  double density = 1;                   ///< m⁻³
  double temperature = 1;               ///< m²/s², k T / m
  double frequency = 1;                 ///< s⁻¹, ν
  std::array<double, 6> deviator = {};  ///< m²/s², D: xx, yy, zz, xy, xz, yz
  double fourth = 15;                   ///< m⁴/s⁴, <c⁴>₀

  /// Of a gas at time 0.
  /// @param moments  of its distribution
  /// @param m4       <c⁴> / 15
  static MaxwellDecay of(const VelocityMoments& moments, double m4, double frequency);

  /// ∫ c_i c_j f, m⁻¹ s⁻²: xx, yy, zz, xy, xz, yz.
  std::array<double, 6> stress(double time) const;
  /// <c⁴> / 15.
  double m4(double time) const;
};

/// Two Maxwellians of half the density each that fly through each other.
struct TwoBeams {
  double density = 1;                         ///< m⁻³, of both
  double temperature = 0.6;                   ///< m²/s², k T / m of each
  std::array<double, 3> velocity = {};        ///< m/s, of their middle
  std::array<double, 3> apart = {1.2, 0, 0};  ///< m/s, of each from the middle, one this way and one the other

  double at(const std::array<double, 3>& v) const;
};

/// n / (2π T)^(3/2) exp(−c² / 2T)
double maxwellian_at(double density, double temperature, double c2);

/// A function of velocity at the nodes of a grid, x fastest.
/// @param function  takes a velocity as three numbers
template <class Real, class Function>
std::vector<Real> at_velocities(const VelocityGrid& grid, Function function) {
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(grid.node_count()));
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x)
        values.push_back(static_cast<Real>(function(std::array{grid.at(0, x), grid.at(1, y), grid.at(2, z)})));
  return values;
}

}  // namespace shoal
