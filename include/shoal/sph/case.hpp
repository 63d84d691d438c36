// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/motion.hpp>
#include <shoal/sph/contact.hpp>
#include <shoal/sph/isosurface.hpp>
#include <shoal/sph/open_boundary.hpp>
#include <shoal/sph/refinement.hpp>
#include <shoal/sph/rheology.hpp>
#include <shoal/sph/rigid_body.hpp>
#include <shoal/sph/shape.hpp>
#include <shoal/sph/spring.hpp>
#include <shoal/sph/surface_tension.hpp>
#include <shoal/sph/waves.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Case of a weakly compressible SPH run, with the members of a case file. All lengths, times and masses in SI units.
namespace shoal::sph {

enum class Precision { float_, double_ };
enum class Kernel { cubic_spline, wendland_c2, wendland_c4, quintic_spline };
enum class EquationOfState { tait, polynomial, linear, mie_grueneisen, ideal_gas };
enum class DensityDiffusion { none, ferrari, molteni, fourtakas };
/// Form of laminar viscosity. morris: along the difference of the velocities. monaghan: along the line between two particles,
/// which keeps the angular momentum and pulls at no free surface or interface.
enum class ViscosityForm { morris, monaghan };
enum class Walls { repulsive, dynamic, adami };
/// Tangential condition at walls: with no_slip, laminar viscosity slows fluid that passes a wall.
enum class WallFlow { slip, no_slip };
enum class Integrator { tvd_rk3, symplectic, verlet };
/// uniform: smoothing times spacing, for all. by_density: smoothing times (m/ρ)^(1/dimensions), a particle's own.
enum class SmoothingLength { uniform, by_density };
enum class TimeStep { fixed, cfl };
/// Quantity of a probe. With V = m/ρ, sums over the fluid within the kernel's support of the point, and hats
/// Λ(s) = max(0, 1 − |s|/2)/2 of s spacings:
///
///     surge_front    m, the largest x of fluid, so that a drop that flies ahead counts; NaN if there is no fluid
///     pressure       Pa, Σ p W V / Σ W V; 0 if there is no fluid. At a wall: of the fluid on its wet side
///     velocity       m/s, the same of velocity
///     density        kg/m³, the same of density
///     wall_pressure  Pa, the same of pressure over particles of fluid and of walls, so that on a wall both sides of
///                    it count; walls have the pressure that the last step left, before the first one 0
///     line           one of the three along a line of points
///     water_height   m, Σ V Λ(x)/spacing (3-D: Λ(x) Λ(y)/spacing²) over all fluid: the depth of water at x (x, y),
///                    without the air between drops
///     force          N (2-D: N/m), momentum that pairs with the particles of a wall take from the fluid per second
///     spread         m, √(mean (x − mean x)²) along each axis, over all fluid; an ellipse has half its semi-axis
///     moment         N m (2-D: N m/m, the component along z), Σ (x_j − about) × F_j over the particles j of a wall, with
///                    the force F_j that its pairs with the fluid add to `force`; not in 1-D
///     flow_rate      m³/s (2-D: m²/s), ∫ v·n dA over a section, with v = Σ v W V / Σ W V at the cells of a raster; a cell
///                    counts where Σ W V is above 1/2, so that air and walls add nothing; not in 1-D
///     surface        m, the last point on the way from `from` to `to` where Σ W V falls below 1/2 after water over two
///                    smoothing lengths or more; `to` if the water reaches it, NaN without water
///     body_center    m, the center of mass of the rigid body that the wall is
///     body_rotation  degrees, its rotation since the start: a vector along the axis as long as the angle, at most 180
///                    (2-D: the component along z); not in 1-D
///     spring_force   N (2-D: N/m), the force of a spring on its body; not in 1-D
///     vorticity      1/s (2-D: the component along z), ∇ × v of the velocity linear in space that fits the fluid best, with
///                    the weights W V; 0 where the fluid spreads along no axis; not in 1-D
///     fluid_center   m, center of mass of all fluid, or of that of a material; NaN if there is none
///     fluid_velocity m/s, its velocity
enum class ProbeKind {
  surge_front,
  pressure,
  velocity,
  density,
  wall_pressure,
  line,
  water_height,
  force,
  spread,
  moment,
  flow_rate,
  surface,
  body_center,
  body_rotation,
  spring_force,
  vorticity,
  fluid_center,
  fluid_velocity
};
/// Quantity along a line of points.
enum class LineQuantity { pressure, velocity, density };
/// hydrostatic: that of the body's density at its highest point, and ρ₀ |g| times the depth below it.
enum class InitialPressure { zero, hydrostatic };
enum class FieldFormat { vtkhdf, vtp };

/// Material with its equation of state p(ρ, u): equation (8), a liquid under shock, or a gas. With μ = ρ/ρ₀ − 1:
///
///     tait             p = ρ₀ c² / γ ((ρ/ρ₀)^γ − 1)
///     polynomial       p = a₁ μ + a₂ μ² + a₃ μ³ + (b₀ + b₁ μ) ρ₀ u   where μ ≥ 0
///                      p = t₁ μ + t₂ μ² + b₀ ρ₀ u                     where μ < 0
///     linear           p = ρ₀ c² μ + Γ ρ₀ u
///     mie_grueneisen   p = p_H + Γ (ρ₀ u − μ p_H / (2 (1 + μ)))      where μ ≥ 0,
///                      p_H = ρ₀ c² μ (1 + μ) / (1 − (s − 1) μ)²
///                      p = ρ₀ c² μ + Γ ρ₀ u                           where μ < 0
///     ideal_gas        p = (γ − 1) ρ u
///
/// The pressure is never less than least_pressure; the cut-off leaves the density unchanged.
struct Material {
  std::string name;
  double density = 0;      ///< ρ₀, kg/m³
  double sound_speed = 0;  ///< c, m/s; 0: not given, see choose_sound_speeds()
  EquationOfState equation_of_state = EquationOfState::tait;
  double exponent = 7;                     ///< γ of tait and ideal_gas
  std::array<double, 3> compression{};     ///< a₁ a₂ a₃ of polynomial, Pa
  std::array<double, 2> tension{};         ///< t₁ t₂ of polynomial, Pa
  std::array<double, 2> energy{};          ///< b₀ b₁ of polynomial, 1
  double grueneisen = 0;                   ///< Γ of linear and mie_grueneisen
  double hugoniot_slope = 0;               ///< s of mie_grueneisen: a shock runs at c + s times the speed of the liquid
  std::optional<double> least_pressure{};  ///< Pa, the tension at which the liquid tears
  double kinematic_viscosity = 0;          ///< ν, m²/s
  Rheology rheology{};
  bool sound_speed_is_chosen = false;  ///< true: choose_sound_speeds() set the sound speed
};

/// Particles at given positions.
struct ParticleList {
  std::vector<Vector> position;  ///< m
  std::vector<Vector> velocity;  ///< m/s; empty: the velocity of the body
};

/// File from which a list of particles is read.
struct ParticleFile {
  std::string file;                      ///< .csv, .npy, .vtp, .vtu or .vtkhdf; empty: none
  std::vector<std::string> coordinates;  ///< columns; empty: x, y, z
  std::vector<std::string> velocity;     ///< columns or arrays, one an axis; empty: the velocity of the body
};

/// Vortices of Taylor and Green at the start: u = −speed cos kx sin ky, v = speed sin kx cos ky, k = 2π/length.
struct Vortices {
  double speed = 0;   ///< m/s
  double length = 1;  ///< m, period along x and y
};

/// A box, a shape or a list of particles. A box has a square lattice of its own, half a spacing away from its faces;
/// all shapes of a case share the lattice of the first body.
struct Body {
  std::string material;
  Box box;
  Vector velocity{};  ///< m/s
  InitialPressure pressure = InitialPressure::zero;
  Vector strain_rate{};                             ///< 1/s: adds strain_rate_i x_i to velocity_i
  std::optional<Shape> shape{};                     ///< replaces the box
  ParticleFile particle_file{};                     ///< source of `particles`
  std::shared_ptr<const ParticleList> particles{};  ///< replaces the box; each has the volume spacing^D
  Vortices vortices{};                              ///< added to the velocity
  std::optional<double> spacing{};                  ///< m, between its particles; that of the case unless given
  std::optional<double> density{};  ///< kg/m³, initial, of a hydrostatic body at its top; else the material's
  double energy = 0;                ///< J/kg, initial
  double jitter = 0;                ///< spacings: largest initial displacement of a particle along each axis
};

/// Layers of fixed particles around the inside of a box or shape: the points of the lattice that are outside, and not
/// more than `layers` of them away along any axis. A solid wall fills the shape itself to that depth.
struct Wall {
  std::string name;
  Box box;                 ///< the inside
  std::vector<Side> open;  ///< sides of the box (of the box around the shape) without a wall
  int layers = 3;
  std::string material{};        ///< material of reference density and sound speed; empty: the first
  std::optional<Shape> shape{};  ///< replaces the box
  bool solid = false;
  Motion motion{};  ///< a `phase` or `mean_angle` displaces the wall at t = 0
};

/// Motion that adds to those of a wall. First the wall's own acts, then those of the case in their order, then those of its
/// wavemakers: each moves the wall from where those before it left it.
struct WallMotion {
  std::string wall{};  ///< name of the wall
  Motion motion{};
};

/// Internal energy of a heat pulse: u = energy · exp(−(r / radius)²), added at once at the time `start`, or evenly over
/// `length`.
struct HeatPulse {
  Vector at{};        ///< m, center
  double radius = 0;  ///< m
  double energy = 0;  ///< J/kg
  double start = 0;   ///< s
  double length = 0;  ///< s
};

/// Moves particles down the gradient of their concentration, so that they stay evenly spread (Lind et al. 2012).
struct Shifting {
  double coefficient = 0;              ///< A of δr = −A h |v| dt ∇C; 0: no shifting
  std::optional<double> surface = {};  ///< ∇·r below which a particle is at a free surface and is not shifted
};

struct Scheme {
  Integrator integrator = Integrator::tvd_rk3;
  TimeStep time_step = TimeStep::cfl;
  double dt = 0;  ///< s, when time_step is fixed
  /// dt = cfl · min(h / (c + |v|), √(h / |a|)), when time_step is cfl; 0.8 unless given, with verlet 0.1.
  std::optional<double> cfl;
  Kernel kernel = Kernel::wendland_c2;
  DensityDiffusion density_diffusion = DensityDiffusion::molteni;
  std::optional<double> diffusion_coefficient;  ///< δ of molteni (0.1 unless given), ξ of ferrari (1 unless given)
  double artificial_viscosity = 0.02;           ///< Monaghan's α
  double quadratic_viscosity = 0;               ///< Monaghan's β, for shocks
  bool laminar_viscosity = false;               ///< the materials' kinematic viscosity or rheology acts
  ViscosityForm viscosity_form = ViscosityForm::morris;
  Walls walls = Walls::adami;
  WallFlow wall_flow = WallFlow::slip;
  std::vector<Axis> periodic{};  ///< axes along which the domain repeats
  Shifting shifting{};
  Vector gravity{};     ///< m/s²
  bool energy = false;  ///< integrate internal energy, equation (6)

  /// cfl, given or not.
  double courant_number() const { return cfl.value_or(integrator == Integrator::verlet ? 0.1 : 0.8); }
};

struct Probe {
  std::string name;
  ProbeKind kind = ProbeKind::surge_front;
  Vector at{};                               ///< m, position, for kinds that have one
  double every = 0;                          ///< s between values; 0: as often as fields are written
  Vector from{};                             ///< m, the first point of a line
  Vector to{};                               ///< m, its last point
  int points = 2;                            ///< number of points of a line
  LineQuantity of = LineQuantity::pressure;  ///< quantity along a line
  std::string wall{};                        ///< wall on which the force or moment is summed, or that is the body
  Vector about{};                            ///< m, the point about which the moment is taken
  /// m, the section of a flow_rate. 2-D: ends of a line; flow from its left to its right is positive for a view along it.
  /// 3-D: corners of a plane polygon in their order; flow is positive toward the side that sees them counterclockwise.
  std::vector<Vector> corners{};
  double raster = 0;     ///< m, spacing of the cells of a section; 0: the spacing of the particles
  std::string spring{};  ///< spring whose force is measured
  /// Moving wall or rigid body with which the points of the probe move: at, from and to, corners or about, where they are
  /// at t = 0. Empty: they stay. Values are NaN while a point is outside the domain.
  std::string follows{};
  std::string material{};  ///< material of a fluid_center or fluid_velocity; empty: all fluid
};

struct Output {
  double every = 0;  ///< s between fields; 0: only the first and the last state
  FieldFormat format = FieldFormat::vtkhdf;
  int compression = 0;                     ///< deflate level of VTKHDF, 0 to 9
  std::vector<double> times{};             ///< s, times of fields; replaces `every`
  double balance_every = 0;                ///< s between rows of the conservation balance; 0: as often as fields
  double restart_every = 10;               ///< minutes of wall time between restart files; 0: at the end only
  bool vorticity = false;                  ///< fields have the vorticity
  std::optional<Isosurface> isosurface{};  ///< written as often as fields
};

struct Case {
  std::string title;
  std::string text;  ///< the case file as resolved, kept with every output
  int dimensions = 2;
  double spacing = 0;      ///< m between particles
  double smoothing = 1.2;  ///< smoothing length / spacing
  SmoothingLength smoothing_length = SmoothingLength::uniform;
  double most_smoothing = 3;  ///< by_density: bound of smoothing lengths, relative to the largest initial one
  /// kg/m³; fluid whose density differs more from that of its material is dropped and counted. Default: no bound
  std::optional<double> most_density_deviation;
  double duration = 0;  ///< s
  Precision precision = Precision::float_;
  std::string method = "auto";
  std::optional<Box> domain;  ///< particles that leave it are dropped and counted; default: room for splashes
  std::vector<Material> materials;
  std::vector<Body> bodies;
  std::vector<Wall> walls;
  std::vector<WallMotion> motions{};
  std::vector<RigidBody> rigid_bodies{};
  std::vector<Spring> springs{};
  std::optional<Contact> contact{};  ///< none: rigid bodies pass through walls and through each other
  std::vector<Wavemaker> wavemakers{};
  std::vector<DampingZone> damping{};
  std::vector<OpenBoundary> open_boundaries{};
  std::vector<Refinement> refinements{};  ///< boxes of finer particles, the widest first
  std::optional<Box> crop{};              ///< part of the domain that has particles; solvers set it for their levels
  std::vector<HeatPulse> heat;
  std::vector<Probe> probes;
  Scheme scheme;
  Output output;
  std::vector<SurfaceTension> surface_tensions{};  ///< one for each pair of fluids that has it
};

/// Equations of state that have a case-file key of [material.NAME].
std::vector<EquationOfState> equations_of_state_with(std::string_view key);

/// Returns true if the viscosity of a material of the case depends on its flow.
bool has_apparent_viscosity(const Case& simulation);

/// Returns true for kinds of probe at a point, the key `at`.
bool has_position(ProbeKind kind);

/// Returns true for kinds of probe along a line, the keys `from` and `to`.
bool has_line(ProbeKind kind);

/// Returns true for kinds of probe with points that may follow a wall, the key `follows`.
bool has_points(ProbeKind kind);

/// Returns true for kinds of probe on a wall, the key `wall`.
bool has_wall(ProbeKind kind);

/// Returns true for kinds of probe on a spring, the key `spring`.
bool has_spring(ProbeKind kind);

/// Returns true for kinds of probe on all of a fluid, the key `material`.
bool has_material(ProbeKind kind);

/// Formula of the pressure, for documentation.
std::string formula_of(EquationOfState kind);

/// @throws Error  a member is invalid: names the first one by its case-file key
void require_valid(const Case& simulation);

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::Precision> = std::array<std::string_view, 2>{"float", "double"};
template <>
inline constexpr auto enumerator_names<sph::Kernel> =
    std::array<std::string_view, 4>{"cubic_spline", "wendland_c2", "wendland_c4", "quintic_spline"};
template <>
inline constexpr auto enumerator_names<sph::EquationOfState> =
    std::array<std::string_view, 5>{"tait", "polynomial", "linear", "mie_grueneisen", "ideal_gas"};
template <>
inline constexpr auto enumerator_names<sph::DensityDiffusion> =
    std::array<std::string_view, 4>{"none", "ferrari", "molteni", "fourtakas"};
template <>
inline constexpr auto enumerator_names<sph::ViscosityForm> = std::array<std::string_view, 2>{"morris", "monaghan"};
template <>
inline constexpr auto enumerator_names<sph::Walls> = std::array<std::string_view, 3>{"repulsive", "dynamic", "adami"};
template <>
inline constexpr auto enumerator_names<sph::Integrator> =
    std::array<std::string_view, 3>{"tvd_rk3", "symplectic", "verlet"};
template <>
inline constexpr auto enumerator_names<sph::WallFlow> = std::array<std::string_view, 2>{"slip", "no_slip"};
template <>
inline constexpr auto enumerator_names<sph::Axis> = std::array<std::string_view, 3>{"x", "y", "z"};
template <>
inline constexpr auto enumerator_names<sph::SmoothingLength> = std::array<std::string_view, 2>{"uniform", "by_density"};
template <>
inline constexpr auto enumerator_names<sph::TimeStep> = std::array<std::string_view, 2>{"fixed", "cfl"};
template <>
inline constexpr auto enumerator_names<sph::ProbeKind> = std::array<std::string_view, 18>{
    "surge_front",  "pressure",      "velocity",     "density",   "wall_pressure", "line",
    "water_height", "force",         "spread",       "moment",    "flow_rate",     "surface",
    "body_center",  "body_rotation", "spring_force", "vorticity", "fluid_center",  "fluid_velocity"};
template <>
inline constexpr auto enumerator_names<sph::LineQuantity> =
    std::array<std::string_view, 3>{"pressure", "velocity", "density"};
template <>
inline constexpr auto enumerator_names<sph::InitialPressure> = std::array<std::string_view, 2>{"zero", "hydrostatic"};
template <>
inline constexpr auto enumerator_names<sph::FieldFormat> = std::array<std::string_view, 2>{"vtkhdf", "vtp"};

}  // namespace shoal
