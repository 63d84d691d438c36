// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/waves.hpp>

#include <array>
#include <complex>
#include <vector>

namespace shoal::sph {

/// Motions of a piston for the waves bound to each two waves: Re(X e^{iωt}) beside those of first order, ω the sum or the
/// difference of their frequencies.
///
/// Two waves have a long wave bound to them, which moves with their group, and a short one. Where the paddle moves by linear
/// theory alone, free waves of the same frequencies leave it, which cancel the bound ones there. With this motion they are not
/// made. With the modes j of both waves, one that goes and those beside the paddle, κ tanh κd = ω²/g, and their potentials
/// a cosh κ(z + d)/cosh κd e^{i(ωt − κx)}, a = −ω X S/κ, S = 2 sinh 2κd/(sinh 2κd + 2κd); of a difference
/// (ω_2, κ_2, a_2, X_2) stand for (−ω_2, −κ_2*, a_2*, X_2*) of the second wave, ω = ω_1 + ω_2 and k for the wave number of ω:
///
///     X = g k²/(iω³) (Σ_jl −iK Q/(g (K² − k²))
///                     − ½ X_1 Σ_l κ_2² a_2 (ω_2² − ω²)/(g (κ_2² − k²)) − ½ X_2 Σ_j κ_1² a_1 (ω_1² − ω²)/(g (κ_1² − k²)))
///     K = κ_1 + κ_2,   Q = −a_1 a_2 (iω (ω_1² ω_2²/g² − κ_1 κ_2)
///                                    − ½ iω_1 (κ_2² − ω_2⁴/g²) − ½ iω_2 (κ_1² − ω_1⁴/g²))
///
/// Q forces the free surface, K those waves at the paddle, and the last two terms are those of its place. The sum of a wave with
/// itself is half of that. As ω of a difference goes to 0, it moves the water of the bound wave: iωX d is the speed of the group
/// times that wave's elevation.
///
/// Sums over modes are taken to two ends, whose difference is extrapolated: 0.1 % of the motion.
/// Source: Schäffer, Ocean Eng. 23 (1996) 47, second-order theory of wavemakers, here for a piston.
class BoundStrokes {
 public:
  /// @param depth    m
  /// @param gravity  m/s²
  BoundStrokes(const std::vector<WaveComponent>& waves, double depth, double gravity);

  /// Motion for the sum of the frequencies of two waves, m.
  std::complex<double> sum(std::size_t first, std::size_t second) const;
  /// Motion for their difference, which is not 0, m.
  std::complex<double> difference(std::size_t first, std::size_t second) const;

 private:
  static constexpr std::size_t modes = 48;  ///< number of modes of a wave
  using Number = std::complex<double>;

  /// A wave with its modes at the paddle.
  struct Wave {
    double angular_frequency;
    Number stroke;                          ///< X
    std::array<Number, modes> wave_number;  ///< κ
    std::array<Number, modes> potential;    ///< a
  };

  Wave with_modes(const WaveComponent& wave) const;
  static Wave conjugate(const Wave& wave);
  Number stroke(const Wave& one, const Wave& two) const;
  Number beside_the_paddle(const Wave& wave, double k, double omega) const;

  double depth_, gravity_;
  std::vector<Wave> waves_;
};

}  // namespace shoal::sph
