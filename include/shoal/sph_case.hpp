// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph_shape.hpp>
#include <shoal/words.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a weakly compressible SPH run is made of, as a case file says it. All lengths, times and masses in SI units.
namespace shoal::sph {

enum class Precision { float_, double_ };
enum class Kernel { cubic_spline, wendland_c2 };
enum class EquationOfState { tait, polynomial };
enum class DensityDiffusion { none, ferrari, molteni };
enum class Walls { repulsive, dynamic, adami };
enum class Integrator { tvd_rk3 };
enum class TimeStep { fixed, cfl };
enum class ProbeKind { surge_front, pressure, velocity, density, wall_pressure, line, water_height, force, spread };
/// What a line of points shows.
enum class LineQuantity { pressure, velocity, density };
/// hydrostatic: ρ₀ |g| times the depth below the body's highest point.
enum class InitialPressure { zero, hydrostatic };
enum class FieldFormat { vtkhdf, vtp };
enum class Side {
  left,
  right,
  bottom,
  top,
  front,
  back
};  ///< −x, +x, then the sides of gravity's usual axis, then the third

/// p(ρ, u) of equation (8), or the polynomial of a shock-compressed liquid, with μ = ρ/ρ₀ − 1:
///
///     tait         p = ρ₀ c² / γ ((ρ/ρ₀)^γ − 1)
///     polynomial   p = a₁ μ + a₂ μ² + a₃ μ³ + (b₀ + b₁ μ) ρ₀ u   where μ ≥ 0
///                  p = t₁ μ + t₂ μ² + b₀ ρ₀ u                     where μ < 0
struct Material {
  std::string name;
  double density = 0;      ///< ρ₀, kg/m³
  double sound_speed = 0;  ///< c, m/s
  EquationOfState equation_of_state = EquationOfState::tait;
  double exponent = 7;                  ///< γ of tait
  std::array<double, 3> compression{};  ///< a₁ a₂ a₃ of polynomial, Pa
  std::array<double, 2> tension{};      ///< t₁ t₂ of polynomial, Pa
  std::array<double, 2> energy{};       ///< b₀ b₁ of polynomial, 1
};

/// Particles that somebody else placed.
struct ParticleList {
  std::vector<Vector> position;  ///< m
  std::vector<Vector> velocity;  ///< m/s; empty: that of the body
};

/// Which file a list of particles is read from.
struct ParticleFile {
  std::string file;                      ///< .csv, .npy, .vtp, .vtu or .vtkhdf; empty: none
  std::vector<std::string> coordinates;  ///< columns; empty: x, y, z
  std::vector<std::string> velocity;     ///< columns or arrays, one an axis; empty: that of the body
};

/// A box, a shape or a list of particles. A box has a square lattice of its own, half a spacing away from its faces;
/// all shapes of a case share the lattice of the first body.
struct Body {
  std::string material;
  Box box;
  Vector velocity{};  ///< m/s
  InitialPressure pressure = InitialPressure::zero;
  Vector strain_rate{};                             ///< 1/s: adds strain_rate_i x_i to velocity_i
  std::optional<Shape> shape{};                     ///< in place of the box
  ParticleFile particle_file{};                     ///< where `particles` are from
  std::shared_ptr<const ParticleList> particles{};  ///< in place of the box, each of volume spacing^D
};

/// Layers of fixed particles around the inside of a box or shape: the points of the lattice that are outside, and not
/// more than `layers` of them away along any axis. A solid wall is the shape itself, as deep.
struct Wall {
  std::string name;
  Box box;                 ///< the inside
  std::vector<Side> open;  ///< sides of the box (of the box around the shape) without a wall
  int layers = 3;
  std::string material{};        ///< whose reference density and sound speed the wall has; empty: the first material's
  std::optional<Shape> shape{};  ///< in place of the box
  bool solid = false;
};

/// Internal energy that is there from the start: u = energy · exp(−(r / radius)²).
struct HeatPulse {
  Vector at{};        ///< m
  double radius = 0;  ///< m
  double energy = 0;  ///< J/kg
};

struct Scheme {
  Integrator integrator = Integrator::tvd_rk3;
  TimeStep time_step = TimeStep::cfl;
  double dt = 0;     ///< s, when time_step is fixed
  double cfl = 0.8;  ///< dt = cfl · min(h / (c + |v|), √(h / |a|)), when time_step is cfl
  Kernel kernel = Kernel::wendland_c2;
  DensityDiffusion density_diffusion = DensityDiffusion::molteni;
  std::optional<double> diffusion_coefficient;  ///< δ of molteni (0.1 unless given), ξ of ferrari (1 unless given)
  double artificial_viscosity = 0.02;           ///< Monaghan's α
  Walls walls = Walls::adami;
  Vector gravity{};     ///< m/s²
  bool energy = false;  ///< integrate internal energy, equation (6)
};

struct Probe {
  std::string name;
  ProbeKind kind = ProbeKind::surge_front;
  Vector at{};                               ///< m, for kinds that have a place
  double every = 0;                          ///< s; 0: as often as fields are written
  Vector from{};                             ///< m, the first point of a line
  Vector to{};                               ///< m, its last point
  int points = 2;                            ///< of a line
  LineQuantity of = LineQuantity::pressure;  ///< what a line shows
  std::string wall{};                        ///< whose force is shown
};

struct Output {
  double every = 0;  ///< s between fields; 0: only the first and the last state
  FieldFormat format = FieldFormat::vtkhdf;
  int compression = 0;           ///< deflate level of VTKHDF, 0 to 9
  std::vector<double> times{};   ///< s, of fields, in place of `every`
  double ledger_every = 0;       ///< s between rows of the energy ledger; 0: as often as fields
  double checkpoint_every = 10;  ///< minutes of wall time between restarts; 0: at the end only
};

struct Case {
  std::string title;
  std::string text;  ///< the case file as resolved, kept with every output
  int dimensions = 2;
  double spacing = 0;      ///< m between particles
  double smoothing = 1.2;  ///< smoothing length / spacing
  double duration = 0;     ///< s
  Precision precision = Precision::float_;
  std::string method = "auto";
  std::optional<Box> domain;  ///< particles that leave it are dropped and counted; default: room for splashes
  std::vector<Material> materials;
  std::vector<Body> bodies;
  std::vector<Wall> walls;
  std::vector<HeatPulse> heat;
  std::vector<Probe> probes;
  Scheme scheme;
  Output output;
};

/// @throws Error  the first member that makes no sense, by its name in a case file
void require_valid(const Case& simulation);

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto words<sph::Precision> = std::array<std::string_view, 2>{"float", "double"};
template <>
inline constexpr auto words<sph::Kernel> = std::array<std::string_view, 2>{"cubic_spline", "wendland_c2"};
template <>
inline constexpr auto words<sph::EquationOfState> = std::array<std::string_view, 2>{"tait", "polynomial"};
template <>
inline constexpr auto words<sph::DensityDiffusion> = std::array<std::string_view, 3>{"none", "ferrari", "molteni"};
template <>
inline constexpr auto words<sph::Walls> = std::array<std::string_view, 3>{"repulsive", "dynamic", "adami"};
template <>
inline constexpr auto words<sph::Integrator> = std::array<std::string_view, 1>{"tvd_rk3"};
template <>
inline constexpr auto words<sph::TimeStep> = std::array<std::string_view, 2>{"fixed", "cfl"};
template <>
inline constexpr auto words<sph::ProbeKind> = std::array<std::string_view, 9>{
    "surge_front", "pressure", "velocity", "density", "wall_pressure", "line", "water_height", "force", "spread"};
template <>
inline constexpr auto words<sph::LineQuantity> = std::array<std::string_view, 3>{"pressure", "velocity", "density"};
template <>
inline constexpr auto words<sph::InitialPressure> = std::array<std::string_view, 2>{"zero", "hydrostatic"};
template <>
inline constexpr auto words<sph::FieldFormat> = std::array<std::string_view, 2>{"vtkhdf", "vtp"};
template <>
inline constexpr auto words<sph::Side> =
    std::array<std::string_view, 6>{"left", "right", "bottom", "top", "front", "back"};

}  // namespace shoal
