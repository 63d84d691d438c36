// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/motion.hpp>
#include <shoal/sph/shape.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Waves of a flume: theory of wavemakers, and zones that damp waves. Elevations are above still water, times in s.
namespace shoal::sph {

/// piston: the whole wall shifts. flap: the wall turns about a hinge at the bed.
enum class Paddle { piston, flap };

/// regular: one wave. focused: a group whose crests meet at one place and time. irregular: a sea with random phases.
enum class Waves { regular, focused, irregular };

/// Energy over the frequency f, with the peak frequency f_p = 1/T_p; the factor follows from the height:
///
///     pierson_moskowitz   S ~ f⁻⁵ exp(−5/4 (f_p/f)⁴)
///     jonswap             the same · γ^exp(−(f/f_p − 1)²/(2 σ²)),   σ = 0.07 up to f_p, then 0.09
enum class Spectrum { jonswap, pierson_moskowitz };

/// A wall that makes waves on water at rest.
///
/// The waves are a sum η = Σ a cos(k x − ω t + φ) with x from the paddle along `direction`, and ω² = g k tanh kd. For each
/// of them the paddle moves at the still water level by
///
///     e = r(t) Σ (a/m) sin(ω t − φ),   m the height of the waves over the stroke of the paddle: paddle_transfer()
///
/// A regular wave of second order adds (H²/32d)(3 cosh kd/sinh³ kd − 2/m) sin 2(ω t − φ) (Madsen 1971), so that the paddle
/// sends out no free wave of twice the frequency. A sum of waves of second order adds motions of the sum and the difference of
/// the frequencies of each two waves (Schäffer 1996), so that the paddle sends out no free short or long waves beside those that
/// are bound to them; those of differences begin at 0. r is the ramp of Motion.
///
/// Sources: Biésel and Suquet 1951; Madsen, J. Geophys. Res. 76 (1971) 8672; Hasselmann et al. 1973 (JONSWAP); Tromans,
/// Anaturk and Hagemeijer 1991 (focused groups); Schäffer, Ocean Eng. 23 (1996) 47.
struct Wavemaker {
  std::string wall{};  ///< name of the wall that is the paddle; the waves add to its other motions
  Paddle paddle = Paddle::piston;
  Waves waves = Waves::regular;
  int order = 1;      ///< 1, or with a piston 2
  double depth = 0;   ///< m, still water at the paddle
  double period = 0;  ///< s, of regular waves, or at the peak of the spectrum
  /// m: of regular waves from trough to crest, 0 of a paddle that only absorbs; significant, 4 √m₀, of irregular ones
  double height = 0;
  double crest = 0;         ///< m, of a focused group above still water, by linear theory
  double phase = 0;         ///< degrees, φ of regular waves
  double focus_time = 0;    ///< s, when the crests of a focused group meet
  double focus_length = 0;  ///< m from the paddle to the place where they meet
  Spectrum spectrum = Spectrum::jonswap;
  double peak_enhancement = 3.3;              ///< γ of jonswap
  std::array<double, 2> frequencies{0.5, 3};  ///< range of the waves, relative to the peak frequency
  int components = 100;                       ///< number of waves in the sum
  /// Seed of irregular waves. Their phases, and the place of each frequency within its share of the range, follow from it.
  int seed = 1;
  std::optional<double> ramp{};  ///< s; the period unless given
  Vector direction{1, 0, 0};     ///< direction of the waves, horizontal, of any length
  Vector hinge{};                ///< m, a point of the axis of a flap, at the bed
  /// m, place before the paddle at which it measures the water level, and with which it moves. A piston then absorbs the waves
  /// that come back to it, as AbsorptionState says; without it they are reflected.
  std::optional<Vector> absorption_gauge{};
};

/// Active absorption of a piston: a displacement X along the direction of its waves, in addition to the motion of theory.
///
///     τ dU/dt = −G (η − η_w) − r X − U,   dX/dt = U
///
/// η is the water level at the gauge above that at the start, and η_w the elevation that the waves of the paddle alone have
/// there, with the modes that stay beside it. With D = gauge − paddle, m the transfer function and k, ω of the period,
///
///     G = ω/(m cos kD),   τ = tan(kD)/ω + E/(ω m cos kD) + r/ω²,   r = 0.1/period
///     E = Σ_j 4 sin² κ_j d/(2κ_j d + sin 2κ_j d) exp(−κ_j D),   ω² = −g κ_j tan κ_j d
///
/// By linear theory nothing of a wave of that period comes back from the paddle. Of other waves something does, but no wave
/// grows whose length is more than 4 D. r brings the paddle back to its place.
///
/// Sources: Schäffer and Klopman, J. Waterway 126 (2000) 88; Altomare et al., Coastal Eng. 127 (2017) 37, with
/// G = √(g/d), which G becomes for long waves.
struct AbsorptionState {
  double displacement = 0;  ///< X, m
  double velocity = 0;      ///< U, m/s
  double acceleration = 0;  ///< dU/dt in the last step, m/s²
  double still_level = 0;   ///< m, depth of the water at the gauge in the first step; 0 before it

  bool operator==(const AbsorptionState&) const = default;
};

/// One of the waves in a sum: η = amplitude · cos(wave_number · x − angular_frequency · t + phase).
struct WaveComponent {
  double amplitude;          ///< m
  double angular_frequency;  ///< rad/s
  double wave_number;        ///< rad/m
  double phase;              ///< rad
};

/// Region in which the velocity of the fluid decays. At each step, after the integrator's own:
///
///     v ← v · exp(−rate · s² · dt),   s from 0 to 1 through the box toward one of its sides
///
/// With rate · dt ≪ 1 this is v · (1 − rate · dt · s²), as in Altomare et al. (2017); the exponential does not depend on the
/// number of steps and is stable with any of them. Zones that overlap multiply.
struct DampingZone {
  Box box;
  Side toward = Side::right;  ///< side of the box at which s = 1
  double rate = 10;           ///< 1/s
};

/// Wave number by linear theory, rad/m: ω² = g k tanh kd, solved to rounding.
/// @param period   s
/// @param depth    m
/// @param gravity  m/s²
/// @throws Error  a number that is not positive and finite
double wave_number(double period, double depth, double gravity);

/// Height of the waves over the stroke of the paddle at still water, far from the paddle (Biésel):
///
///     piston   2 (cosh 2q − 1)/(sinh 2q + 2q)
///     flap     4 (sinh q/q)(q sinh q − cosh q + 1)/(sinh 2q + 2q)
///
/// @param q  kd, positive
double paddle_transfer(Paddle paddle, double q);

/// Waves of a wavemaker.
/// @param gravity  m/s²
std::vector<WaveComponent> wave_components(const Wavemaker& wavemaker, double gravity);

/// Motion of a paddle, planned up to a time: a path with a hundred knots a period of its shortest wave, whose values and
/// velocities are those of theory. Knots do not depend on `until`.
/// @param gravity  m/s², not 0
/// @param until    s
/// Cost: knots times components; of second order, knots times the square of their number, which is at most 300.
Motion wavemaker_motion(const Wavemaker& wavemaker, const Vector& gravity, double until);

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::Paddle> = std::array<std::string_view, 2>{"piston", "flap"};
template <>
inline constexpr auto enumerator_names<sph::Waves> = std::array<std::string_view, 3>{"regular", "focused", "irregular"};
template <>
inline constexpr auto enumerator_names<sph::Spectrum> = std::array<std::string_view, 2>{"jonswap", "pierson_moskowitz"};

}  // namespace shoal
