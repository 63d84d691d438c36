// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/collision.hpp>
#include <shoal/gas/viscosity.hpp>
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace shoal::gas {

/// Collision term of a flow. With the viscosity μ(T) of the molecules, p = n T and M the Maxwellian of f:
enum class GasModel {
  none,       ///< 0: free-molecular flow
  bgk,        ///< ν (M − f), ν = p/μ: Prandtl number 1 (Bhatnagar, Gross and Krook 1954)
  es_bgk,     ///< ν (G − f), ν = Pr p/μ, G the Gaussian with tensor T/Pr I + (1 − 1/Pr) P/n (Holway 1966)
  shakhov,    ///< ν (G − f), ν = p/μ, G = M [1 + (1 − Pr) q·c (c²/T − 5) / (5 p T)] (Shakhov 1968)
  boltzmann,  ///< Q(f, f) of Collision
  aap         ///< mixtures: ν (M* − f) for each species, ν = p/μ + χ n′ (Andries, Aoki and Perthame 2002)
};

/// Limiter of the slope of f in a cell, from the slopes to its two neighbors.
enum class GasLimiter {
  none,      ///< slope 0: first order
  minmod,    ///< the smaller slope
  van_leer,  ///< the harmonic mean (van Leer 1974)
  mc         ///< the mean, at most twice the smaller slope (van Leer 1977)
};

enum class GasBoundaryKind {
  diffuse,   ///< wall that emits the Maxwellian of its velocity and temperature with the mass that arrives
  specular,  ///< wall or plane of symmetry that reflects the velocity normal to it
  inflow,    ///< incoming molecules of a Maxwellian; molecules that leave are lost
  periodic,  ///< joined to the opposite side; both are periodic
  /// At the last face of a line, with an inflow at the first: an inflow behind a normal shock. On the way to a steady state its
  /// density, of a mixture both densities by one factor, is adjusted so that the line keeps its mass, and the shock its place.
  behind_shock
};

/// Boundary at one end of a line of cells, or at one side of a plane.
struct GasBoundary {
  GasBoundaryKind kind = GasBoundaryKind::diffuse;
  double temperature = 1;               ///< k T / m, m²/s², diffuse, inflow, behind_shock
  std::array<double, 3> velocity = {};  ///< m/s, diffuse (0 normal to the wall), inflow, behind_shock
  double density = 1;                   ///< m⁻³, inflow, behind_shock
  double accommodation = 1;  ///< diffuse: share of molecules that it emits; it reflects the others specularly
  /// Diffuse side of a plane: temperature at its last end, k T / m, m²/s². `temperature` is then that at its first end, and
  /// between them it is linear.
  std::optional<double> last_temperature = {};
  double second_density = 1;  ///< m⁻³, inflow and behind_shock of a mixture: density of species 1
};

/// Small gradients along y that drive a flow through the slab between the ends of a line: pressure-driven flow and thermal
/// creep.
/// The flow is that of the linearized equation, with the source
///
///     S = −v_y f₀ [pressure + temperature (v²/(2 T₀) − 5/2)]
///
/// on the right side, where f₀ is the discrete Maxwellian at rest of the base state. The velocity is proportional to the
/// gradients, with an error of the order of the square of gradient × length.
struct GasGradients {
  double pressure = 0;          ///< ∂ ln p / ∂y, m⁻¹
  double temperature = 0;       ///< ∂ ln T / ∂y, m⁻¹
  double base_density = 1;      ///< m⁻³
  double base_temperature = 1;  ///< T₀ = k T / m, m²/s²

  bool drive() const { return pressure != 0 || temperature != 0; }
};

struct GasOptions {
  GasModel model = GasModel::boltzmann;
  GasLimiter limiter = GasLimiter::van_leer;
  double prandtl = 2. / 3;          ///< es_bgk (2/3 to 1), shakhov
  double step_share = 0.9;          ///< Time step / longest step that keeps f positive; above 0, at most 1.
  CollisionOptions collision = {};  ///< boltzmann
  GasGradients gradients = {};
};

/// Iteration to a steady state. Both have the same steady state, in which the scheme of advance_to() changes nothing.
enum class SteadyMethod {
  marching,  ///< steps in time, each cell with its own longest step
  sweeps     ///< v·∇f + ν f = Q(f) + ν f along each velocity from wall to wall, with Q of the previous iteration
};

/// Cheaper collision term in the iteration of `boltzmann` to a steady state.
enum class SteadyContinuation {
  none,
  bgk,      ///< GasModel::bgk
  shakhov,  ///< GasModel::shakhov
  aap,      ///< GasModel::aap, of a mixture
  carleman  ///< Q by CollisionApproach::carleman
};

struct SteadyOptions {
  SteadyMethod method = SteadyMethod::sweeps;
  /// Collision term whose steady state the iteration begins with, to a residual of 1e-3. Where the flow accepts no negative f,
  /// negative values of that state become 0.
  SteadyContinuation continuation = SteadyContinuation::none;
  /// Collision term P of a defect correction: an iteration evaluates Q(f₀) once, and takes sweeps of
  ///
  ///     v·∇f = P(f) + Q(f₀) − P(f₀)
  ///
  /// It reaches the same steady state with fewer evaluations of Q. For the method `sweeps`.
  SteadyContinuation correction = SteadyContinuation::none;
  int correction_sweeps = 20;  ///< Number of sweeps of a correction, 1 or more.
  /// Number of previous iterations that Anderson's acceleration combines, 0 to 50: f after an iteration is the combination of them
  /// with the smallest change, by least squares over all nodes. It takes twice as many copies of f, and forgets them after
  /// twice as many iterations. 0: none.
  int anderson = 0;
  double residual = 1e-6;        ///< Residual at which the iteration ends; see Gas::residual().
  int max_iterations = 100'000;  ///< Number of iterations after which it ends without.
};

struct SteadyResult {
  bool converged = false;
  std::int64_t iterations = 0;  ///< Steps or sweeps; all those of the continuation count as one.
  double residual = 0;
};

/// Flux along the axis through one end of a line of cells, or what flowed through it: sums over nodes times spacing³. Times
/// the mass of a molecule: kg, Pa and W/m². That of a side of a plane is the sum over its length, for each meter along z: its
/// units have one power of m more.
struct GasFlux {
  double mass = 0;                      ///< ∫ v_n f, m⁻² s⁻¹, with v_n the velocity along the axis
  std::array<double, 3> momentum = {};  ///< ∫ v_n v f, m⁻¹ s⁻²
  double energy = 0;                    ///< ∫ v_n v²/2 f, s⁻³
};

/// Position of a flow in time and on the way to a steady state, for restarts.
struct GasClock {
  double time = 0;               ///< s
  std::int64_t steps = 0;        ///< Number of time steps, and of iterations to a steady state.
  std::int64_t iterations = 0;   ///< Number of iterations to a steady state.
  std::int64_t evaluations = 0;  ///< Collision::evaluations() before the evaluation of f itself.
  /// Mass that the iteration keeps between sides without inflow and ahead of `behind_shock`, m⁻², in a plane m⁻¹: that of
  /// its first f. 0: no iteration has begun.
  double steady_mass = 0;
  double second_steady_mass = 0;  ///< As steady_mass, of species 1 of a mixture; steady_mass is that of species 0.
  /// Time integral of Gas::fluxes() over the steps of advance_to(), as the steps took it; complete when that returns. A line
  /// uses the first two, and a mixture as many of each species.
  std::array<GasFlux, 8> transfers = {};
};

/// Returns faces of cells of equal width, m.
std::vector<double> uniform_faces(double first, double last, int cells);

/// Returns faces of cells whose widths grow by the same factor from both ends to the middle, m.
/// @param wall_ratio  width of a cell / width of its neighbor toward the end; 1: cells of equal width
std::vector<double> stretched_faces(double first, double last, int cells, double wall_ratio);

/// Returns the reservoir behind a normal shock, at the last face, from that ahead of it, at the first face: an inflow with
/// u_x > 0, faster than sound. The conditions of Rankine and Hugoniot hold for the sums over the nodes: the discrete
/// Maxwellians of both carry the same mass, momentum and energy. With states that obey the exact conditions a shock drifts,
/// because the sums differ from them, and has no steady state. Its kind is `behind_shock`, which holds the shock in place.
/// Both gases of a mixture have one velocity and k T on either side, and each carries its own mass.
/// @throws Error  another kind of boundary, or slower than sound; the velocity grid cannot represent a state
GasBoundary behind_shock(const VelocityGrid& velocities, const GasBoundary& ahead,
                         const std::optional<Mixture>& mixture = {});

/// Flow of a rarefied gas that depends on x, or on x and y: the Boltzmann equation in one or two dimensions of space and
/// three of velocity,
///
///     ∂f/∂t + v·∇f = Q(f, f) + S
///
/// with the source S of GasGradients, by finite volumes of second order with a limiter and the explicit Runge-Kutta method
/// of second order of Shu and Osher. Cells are a line along x, or the rectangles between lines of any spacing in a plane.
/// The steps keep mass, and f positive, where the collision term does; models conserve mass, momentum and energy of each
/// cell to rounding. Walls conserve mass to rounding.
///
///     using namespace shoal;
///     const Molecules molecules = gas::molecules_of_knudsen(MoleculeModel::hard_sphere, MeanFreePath::hard_sphere,
///                                                           0.1, 1, 1, 1);
///     Gas<double> flow(Queue::cpu(), {.nodes = 24, .half_width = 5.5}, gas::uniform_faces(0, 1, 50),
///                      {{{.velocity = {0, -0.5, 0}}, {.velocity = {0, 0.5, 0}}}}, molecules, {.model = GasModel::bgk});
///     flow.start({VelocityMoments{.density = 1, .temperature = 1}});
///     flow.advance_to_steady();
///     flow.moments()[0].stress[3];  // shear stress / mass
///
/// Cost: per stage O(cells × nodes³) for transport and models, and one evaluation of Q for `boltzmann`. Memory: five
/// copies of f, six for a plane, four on CUDA, and that of Collision for all cells.
///
/// `Real` is float or double. On CPU and CUDA; on one kind of device the same bits on every run, for any number of threads
/// and ranks, and across restarts.
///
/// Ranks share the cells of a line, or the rows of a plane, in slabs of equal counts, two layers or more each. All ranks give
/// the same arguments, and make the same calls; own_cells() and f() are parts of a rank, all else is that of the whole flow.
/// A step exchanges two layers at each cut, beside the collision term. In a sweep ranks take turns, because each velocity is
/// solved from one end to the other.
/// Source: docs/theory/gas.md.
template <class Real>
class Gas {
 public:
  /// @param faces  [cells + 1] m, ascending; at least two cells
  /// @param boundaries  at the first and at the last face
  /// @param ranks  those that share the cells
  /// @throws Error  an argument is out of range, or two of them contradict each other: names it; fewer than two layers for
  ///                each rank
  Gas(const Queue& queue, const VelocityGrid& velocities, const std::vector<double>& faces,
      const std::array<GasBoundary, 2>& boundaries, const Molecules& molecules, const GasOptions& options = {},
      const Communicator& ranks = Communicator::alone());
  /// Flow in a plane. Cells are in rows along x: cell (i, j) has the index j × (number of cells along x) + i.
  /// @param faces  [cells along x + 1] and [cells along y + 1] m, ascending; at least two cells along each axis
  /// @param boundaries  at the left (first x), right, bottom (first y) and top side
  /// @throws Error  as above; gradients or `behind_shock`
  Gas(const Queue& queue, const VelocityGrid& velocities, const std::array<std::vector<double>, 2>& faces,
      const std::array<GasBoundary, 4>& boundaries, const Molecules& molecules, const GasOptions& options = {},
      const Communicator& ranks = Communicator::alone());
  /// Flow of a mixture along x, with the models aap, boltzmann (of approach spectral) and none. It has two cells for each cell
  /// of the line, those of species 0 first: f is [2][own cells × nodes³], states and moments() are [2][cells], with
  /// T = k T / m of each species. Sides 0 and 1 are the ends of species 0, sides 2 and 3 those of species 1.
  /// @param boundaries  at the first and at the last face, for both species: `temperature` is k T / m of species 0
  /// @throws Error  as above; another model, or gradients
  Gas(const Queue& queue, const VelocityGrid& velocities, const std::vector<double>& faces,
      const std::array<GasBoundary, 2>& boundaries, const Mixture& mixture, const GasOptions& options = {},
      const Communicator& ranks = Communicator::alone());
  /// Flow of a mixture in a plane. Sides 0 to 3 are those of species 0, sides 4 to 7 those of species 1.
  Gas(const Queue& queue, const VelocityGrid& velocities, const std::array<std::vector<double>, 2>& faces,
      const std::array<GasBoundary, 4>& boundaries, const Mixture& mixture, const GasOptions& options = {},
      const Communicator& ranks = Communicator::alone());
  ~Gas();
  Gas(Gas&&) noexcept;
  Gas& operator=(Gas&&) noexcept;

  /// Starts from discrete Maxwellians with a density, velocity and temperature, and sets the time to 0.
  /// @param states  one for each cell of all ranks, or one for all; of a mixture, one for each cell of each species, or one for each
  ///                species
  /// @throws Error  another number; the velocity grid cannot represent a state
  void start(const std::vector<VelocityMoments>& states);

  /// Copies f and continues from a position in time.
  /// @param f  [own cells × nodes³] s³ m⁻⁶, velocity x fastest, any stride, on the queue's device
  /// @throws Error  another count or device; f is not finite, or negative where the collision term does not accept that;
  ///                a number of the clock is out of range
  void start(View<const Real> f, const GasClock& clock = {});

  /// Function called after each step or iteration; returns false to stop.
  using Observer = std::function<bool()>;

  /// Advances to `time`, s, which the last step reaches exactly. Returns when the work of the queue has ended, and calls the
  /// observer then.
  /// @throws Error  not started, `time` is before time(); the state became invalid: names the first cell
  void advance_to(double time, const Observer& observer = {});

  /// Iterates to the steady state. `sweeps`, and `marching` on cells of unequal step, do not conserve the mass on the
  /// way: between sides without inflow, each iteration scales f of each species to the mass at the start of the first one. The
  /// mass of a line with a reservoir `behind_shock` returns to that of the start, but for what its density has to differ. The time
  /// stays. A second call goes on with the iteration, unless the time was advanced in between. With `anderson` the observer ends
  /// the iteration where its history ends, so that a second call gives the same bits.
  /// @throws Error  an option is out of range; as advance_to()
  SteadyResult advance_to_steady(const SteadyOptions& options = {}, const Observer& observer = {});

  /// Largest ∫ |∂f/∂t| dv / n of all cells times L / √T, with L the length of the line, or of the longer side of a
  /// plane, and T the temperature of the cell: the share of molecules that changes in the time in which a molecule crosses L.
  double residual();

  /// Moments of each cell.
  std::vector<VelocityMoments> moments();
  /// Fluxes through the first and the last face of a line, positive along x; or through the left, right, bottom and top side
  /// of a plane, positive along x and y. Those of species 1 of a mixture follow those of species 0.
  std::vector<GasFlux> fluxes();
  /// Fluxes through each face of a side, for each unit of its area.
  /// @param side  0 to 3: left, right, bottom, top; 0 and 1 on a line. Those of species 1 follow.
  std::vector<GasFlux> side_fluxes(int side);

  const GasClock& clock() const;
  /// [own cells × nodes³] s³ m⁻⁶, on the queue's device. Of a mixture a copy, [2][own cells × nodes³], until the next call.
  View<const Real> f() const;
  /// Cells of this rank, of each gas.
  Share own_cells() const;
  int species() const;  ///< Number of gases, 1 or 2.
  /// Number of dimensions of space, 1 or 2.
  int dimensions() const;
  /// Faces of the cells along an axis, 0: x, 1: y.
  const std::vector<double>& faces(int axis = 0) const;
  const VelocityGrid& velocities() const;

  /// Warnings about cells wider than a mean free path, in which the scheme is too diffusive, and Collision::warnings()
  /// of `boltzmann`.
  std::vector<Warning> warnings();

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::gas

namespace shoal {

using gas::Gas;
using gas::GasBoundary;
using gas::GasBoundaryKind;
using gas::GasClock;
using gas::GasFlux;
using gas::GasGradients;
using gas::GasLimiter;
using gas::GasModel;
using gas::GasOptions;
using gas::SteadyContinuation;
using gas::SteadyMethod;
using gas::SteadyOptions;
using gas::SteadyResult;

template <>
inline constexpr auto enumerator_names<GasModel> =
    std::array<std::string_view, 6>{"none", "bgk", "es_bgk", "shakhov", "boltzmann", "aap"};
template <>
inline constexpr auto enumerator_names<GasLimiter> =
    std::array<std::string_view, 4>{"none", "minmod", "van_leer", "mc"};
template <>
inline constexpr auto enumerator_names<GasBoundaryKind> =
    std::array<std::string_view, 5>{"diffuse", "specular", "inflow", "periodic", "behind_shock"};
template <>
inline constexpr auto enumerator_names<SteadyMethod> = std::array<std::string_view, 2>{"marching", "sweeps"};
template <>
inline constexpr auto enumerator_names<SteadyContinuation> =
    std::array<std::string_view, 5>{"none", "bgk", "shakhov", "aap", "carleman"};

}  // namespace shoal
