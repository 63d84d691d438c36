// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/collision/directions.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>
#include <shoal/ranks/communicator.hpp>
#include <shoal/warning.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shoal::collision {

/// Uniform velocity grid: a cube of nodes³ cells with one node at the center of each cell:
///
///     v = center − half_width + (i + 1/2) spacing,     spacing = 2 half_width / nodes
///
/// Nodes are numbered with x fastest. A distribution f is given by its values at the nodes.
struct VelocityGrid {
  int nodes = 32;                     ///< Nodes along each axis, 8 to 128.
  double half_width = 1;              ///< Distance from the center to each face of the cube, m/s.
  std::array<double, 3> center = {};  ///< Center of the cube, m/s.

  double spacing() const { return 2 * half_width / nodes; }
  std::int64_t node_count() const { return static_cast<std::int64_t>(nodes) * nodes * nodes; }
  /// Velocity component of the nodes with index i along an axis, m/s.
  double velocity(int axis, int i) const {
    return center[static_cast<std::size_t>(axis)] - half_width + (i + 0.5) * spacing();
  }
};

/// Scattering model: the differential cross section σ(|V|, χ) with total σ_T.
enum class MoleculeModel {
  maxwell,      ///< |V| σ_T constant, isotropic
  hard_sphere,  ///< σ_T = π d², isotropic
  vhs,          ///< variable hard sphere: σ_T falls with |V| as viscosity rises with temperature, isotropic
  vss           ///< variable soft sphere: as vhs, with scattering ∝ cos^(2α − 2)(χ/2)
};

/// Molecules of a gas. The model ignores members that it does not use.
///
///     vhs, vss:  |V| σ_T = π d² |V| (4 k T_ref / (m |V|²))^(ω − 1/2) / Γ(5/2 − ω)
///
/// Source: Bird (1994), "Molecular gas dynamics and the direct simulation of gas flows", chapter 2.
struct Molecules {
  MoleculeModel model = MoleculeModel::maxwell;
  double rate = 1;                   ///< m³/s, maxwell: |V| σ_T, collision frequency of a molecule per density
  double diameter = 0;               ///< m, all but maxwell: d; for vhs and vss at the reference temperature
  double viscosity_exponent = 0.5;   ///< vhs, vss: ω, from 1/2 (hard spheres) to 1 (Maxwell)
  double reference_temperature = 0;  ///< K, vhs, vss
  double mass = 0;                   ///< kg, vhs, vss, mixtures
  double scattering_exponent = 1;    ///< vss: α, 1 is isotropic
};

/// Two gases of Maxwell molecules or of hard spheres, with masses m₁ and m₂ and a velocity grid for both. A collision of
/// unlike molecules has its center at c = a₁ v + a₂ v₁ with a_i = m_i / (m₁ + m₂), and afterwards
///
///     v′ = c + a₂ |V| n,   v₁′ = c − a₁ |V| n
///
/// The lighter gas needs the wider grid, the heavier one the finer.
struct Mixture {
  /// Both maxwell or both hard_sphere, with their masses: kg, or another unit of both, since their ratio counts.
  std::array<Molecules, 2> species;
  double cross_rate = 0;      ///< m³/s, maxwell: |V| σ_T of unlike molecules
  double cross_diameter = 0;  ///< m, hard_sphere: d of unlike molecules; 0: the mean of both diameters
  /// m/s, for each species: distance from the center of the grid beyond which f is negligible. Collisions of two species are
  /// those with |V| up to the sum of theirs. 0: half of CollisionOptions::cutoff.
  std::array<double, 2> support_radius = {};

  Mixture(const Molecules& first, const Molecules& second) : species{first, second} {}
};

/// Discretization of the integral. Approaches differ in their errors, methods of one approach only in speed.
enum class CollisionApproach {
  interpolated,  ///< f(v′) f(v₁′) interpolated at the velocities after each collision
  conservative,  ///< each collision transfers mass, momentum and energy to stencils of nodes exactly
  spectral,      ///< fast Fourier-Galerkin
  carleman       ///< Fourier-Galerkin in Carleman's variables: exact for hard spheres, others keep their viscosity
};

/// Interpolation of f between the nodes, for `interpolated`.
enum class VelocityInterpolation {
  nearest,    ///< value of the nearest node: stepwise
  trilinear,  ///< linear along each axis
  cubic       ///< Lagrange's cubic polynomial along each axis
};

/// Integration over partners v₁ and directions n, for `interpolated`.
enum class CollisionIntegration {
  regular,     ///< sum over all partners and directions
  statistical  ///< Monte Carlo: mean over random partners and directions, which every evaluation draws anew
};

/// Stencil of nodes around v′ and around v₁′ that takes a collision's mass, for `conservative`.
enum class CollisionStencil {
  five,     ///< nearest node, three neighbors toward v′, one opposite (Varghese 2007)
  seven,    ///< nearest node and its six neighbors
  ten,      ///< conserves all second moments
  two_pair  ///< two pairs of nodes; weights never negative (Tcheremissine 2006)
};

/// Nodes that collide, for `interpolated` and `conservative`. Elsewhere f is checked but not used, and Q is 0.
enum class CollisionSupport {
  box,  ///< all nodes
  ball  ///< nodes with |v − center| ≤ half_width: a quarter of the work, right as long as f is 0 in the corners
};

/// Correction that brings mass, momentum and energy of Q to zero by the smallest change.
enum class CollisionProjection {
  none,
  uniform,    ///< smallest in the sense of least squares: also changes nodes where there is no gas
  maxwellian  ///< change in proportion to the Maxwellian of f
};

/// Response to a negative f. Spectral approaches make small values of f negative.
enum class NegativeDistribution { error, accept };

struct CollisionOptions {
  CollisionApproach approach = CollisionApproach::conservative;
  std::string method = "auto";  ///< Name of an entry of methods("collision") that supports the approach, or "auto".
  DirectionOptions directions = {};
  CollisionSupport support = CollisionSupport::box;  ///< interpolated, conservative

  VelocityInterpolation interpolation = VelocityInterpolation::trilinear;  ///< interpolated
  bool over_maxwellian = false;  ///< interpolated: interpolates f/M, M the Maxwellian of f; Q of a Maxwellian is 0

  CollisionIntegration integration = CollisionIntegration::regular;  ///< interpolated
  int samples = 4096;  ///< statistical: random collisions of each node; the error falls as 1/√samples
  int seed = 1;        ///< statistical: not negative; the same samples for the same seed on every device

  CollisionStencil stencil = CollisionStencil::seven;  ///< conservative
  bool symmetrized = true;  ///< conservative: adds inverse collisions; Q of a Maxwellian is 0, entropy never falls

  int radii = 16;     ///< spectral: Gauss points of |V|
  double cutoff = 0;  ///< m/s, spectral, carleman: largest |V|; 0: 4 half_width / (3 + √2), carleman 7/6 half_width
  bool equilibrium_preserving = false;  ///< spectral, carleman: Q(f) − Q(M), M the Maxwellian of f

  CollisionProjection projection = CollisionProjection::none;
  NegativeDistribution negative = NegativeDistribution::error;
};

/// Moments of a distribution, with c = v − u: sums over nodes times spacing³.
struct VelocityMoments {
  double density = 0;                    ///< m⁻³, n = ∫ f
  std::array<double, 3> velocity = {};   ///< m/s, u = ∫ v f / n
  double temperature = 0;                ///< m²/s², k T / m = ∫ c² f / (3 n)
  std::array<double, 6> stress = {};     ///< m⁻¹ s⁻², ∫ c_i c_j f: xx, yy, zz, xy, xz, yz; times the mass: Pa
  std::array<double, 3> heat_flux = {};  ///< s⁻³, ∫ c c²/2 f; times the mass: W/m²
};

/// Conservation defects ∫ (1, v, v²) Q, zero in theory, and the transferred amounts to which they compare.
struct CollisionDefects {
  double mass = 0;                      ///< ∫ Q, m⁻³ s⁻¹
  std::array<double, 3> momentum = {};  ///< ∫ v Q, m⁻² s⁻²
  double energy = 0;                    ///< ∫ v² Q, m⁻¹ s⁻³
  double mass_transferred = 0;          ///< ∫ |Q|, m⁻³ s⁻¹
  double momentum_transferred = 0;      ///< ∫ |v Q|, m⁻² s⁻²
  double energy_transferred = 0;        ///< ∫ v² |Q|, m⁻¹ s⁻³
};

/// Boltzmann collision integral of a velocity distribution:
///
///     Q(v) = ∫ dv₁ ∫ dn |V| σ(|V|, χ) [f(v′) f(v₁′) − f(v) f(v₁)],    V = v − v₁,    v′, v₁′ = (v + v₁)/2 ± n |V|/2
///
/// with n over the whole unit sphere, without a factor of 1/2. One call evaluates any number of cells, each with its
/// own distribution; the arrays of the cells follow each other.
///
///     shoal::Collision<double> collision(queue, {.nodes = 32, .half_width = 5.5}, {.rate = 1});
///     collision.evaluate(f, q);
///     queue.wait();
///
/// Cells are independent: on several ranks, each evaluates its share of the cells (share_of()), and no rank needs the
/// others. For few large cells, ranks share the work of each cell instead; see the second constructor.
///
/// A plan owns its scratch memory: an evaluation allocates only for more cells than any evaluation before it.
///
/// A mixture is two cells for each cell of space: f [2][cells × nodes³], with those of species 0 first, and so are all
/// results: Q of a species is the sum over its collisions with both. A projection then keeps the mass of each species, and
/// momentum and energy of both together. The Maxwellians of `equilibrium_preserving` and of the projection have the common
/// velocity and temperature of both.
///
///     shoal::Mixture mixture({.rate = 1, .mass = 1}, {.rate = 1, .mass = 2});
///     mixture.cross_rate = 1;
///     shoal::Collision<double> collision(queue, grid, mixture, {.approach = shoal::CollisionApproach::spectral});
///
/// Cost for M directions and N nodes along an axis: `interpolated` and `conservative` O(M N⁶) and, factorized, about
/// M N⁵ / 10 collision spheres; statistical O(samples N³); `spectral` O(M radii N³ log N); `carleman` O(M N³ log N).
/// A mixture costs four evaluations of one gas.
///
/// `Real` is float or double. The notes at the head of each method's file are in src/collision/methods.
/// Source: Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
/// computations"; the method notes name further sources.
template <class Real>
class Collision {
 public:
  /// @throws Error  a member of the grid, molecules or options is out of range: names it; there is no such method; the
  ///                approach does not support these molecules
  Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules,
            const CollisionOptions& options = {});

  /// Collisions in a mixture, by approach spectral.
  /// @throws Error  as above; a member of the mixture is out of range; another approach
  Collision(const Queue& queue, const VelocityGrid& grid, const Mixture& mixture, const CollisionOptions& options);

  /// Ranks that share the work of each cell: every rank gives the same f, and evaluate() gives all of them the same Q, with
  /// the bits of one rank. On the CPU the methods with work groups (`spheres`, `pairs` of `conservative`, `fftw`,
  /// `kissfft`) share these out, up to 16 ranks; other methods compute everything on every rank. On CUDA `spheres` and
  /// `cufft` share batches of their work, of which large grids have many; `lerp` and `texture` share the nodes. evaluate()
  /// is a call of all ranks, which wait for each other.
  /// @throws Error  on all ranks: as above, or a method that is not deterministic
  Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules, const CollisionOptions& options,
            const Communicator& ranks);
  ~Collision();
  Collision(Collision&&) noexcept;
  Collision& operator=(Collision&&) noexcept;

  /// @param f  [cells × grid.node_count()] s³ m⁻⁶, any stride, on the queue's device
  /// @param q  [cells × grid.node_count()] s² m⁻⁶, overwritten
  /// @throws Error  at once: f is not a whole number of cells, counts differ, wrong device
  /// @throws Error  at Queue::wait(): f is negative or not finite; names the first node
  void evaluate(View<const Real> f, View<Real> q);

  /// Collision frequency ν(v) = ∫ f(v₁) |V| σ_T dv₁ of a molecule of each velocity, summed over the nodes; exact to
  /// rounding of its largest value. Outside the support it is 0.
  /// Cost: O(N³) for Maxwell molecules, else O(N³ log N); O(N⁶) in a build without FFTW, or on CUDA without cuFFT.
  /// @param frequency  [cells × nodes] s⁻¹, overwritten
  void frequency(View<const Real> f, View<Real> frequency);

  /// Loss term f(v) ν(v).
  /// @param loss  [cells × nodes] s² m⁻⁶, overwritten
  void loss(View<const Real> f, View<Real> loss);

  /// Longest explicit step, s, with which the loss term alone cannot make f negative: 1 / max ν. Waits for the queue.
  double step_bound(View<const Real> f);

  /// Checks a time step, s.
  /// @throws Error  the step is not positive, or longer than step_bound(); names the bound
  void require_step(View<const Real> f, double step);

  /// @name One value for each cell; each function waits for the queue.
  /// @{
  std::vector<VelocityMoments> moments(View<const Real> f);
  std::vector<double> entropy(View<const Real> f);  ///< −∫ f ln f; NaN where f < 0
  std::vector<double> entropy_production(View<const Real> f,
                                         View<const Real> q);  ///< −∫ Q ln f: never negative in theory
  std::vector<CollisionDefects> defects(View<const Real> q);
  /// @}

  /// Warning that `auto` selected the oracle, because the build has no fast method for the approach.
  std::optional<Warning> method_warning() const;

  /// method_warning(), and warnings that name the cells for which the grid is too small or too coarse: mass at the edge
  /// of the box, or at the edge of the ball and beyond; a half width or a spacing that does not suit the temperature.
  /// Each names the nodes and the half width that suit. Waits for the queue.
  /// @param first_cell  number of the first cell of f in the messages
  std::vector<Warning> warnings(View<const Real> f, std::int64_t first_cell = 0);

  const Queue& queue() const;
  const VelocityGrid& grid() const;
  /// Directions of collisions between molecules of one gas.
  const Directions& directions() const;
  int species() const;  ///< Number of gases, 1 or 2.

  /// Method that the plan selected.
  MethodInfo method() const;

  /// Number of calls of evaluate(). Statistical integration draws its samples from seed and number of the evaluation;
  /// all cells of a call have the same samples.
  std::int64_t evaluations() const;
  /// Makes the next call of evaluate() the one of this number, to repeat or to continue the samples of a plan.
  /// @throws Error  the number is negative
  void set_evaluations(std::int64_t number);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::collision

namespace shoal {

using collision::Collision;
using collision::CollisionApproach;
using collision::CollisionDefects;
using collision::CollisionIntegration;
using collision::CollisionOptions;
using collision::CollisionProjection;
using collision::CollisionStencil;
using collision::CollisionSupport;
using collision::Mixture;
using collision::MoleculeModel;
using collision::Molecules;
using collision::NegativeDistribution;
using collision::VelocityGrid;
using collision::VelocityInterpolation;
using collision::VelocityMoments;

template <>
inline constexpr auto enumerator_names<MoleculeModel> =
    std::array<std::string_view, 4>{"maxwell", "hard_sphere", "vhs", "vss"};
template <>
inline constexpr auto enumerator_names<CollisionApproach> =
    std::array<std::string_view, 4>{"interpolated", "conservative", "spectral", "carleman"};
template <>
inline constexpr auto enumerator_names<VelocityInterpolation> =
    std::array<std::string_view, 3>{"nearest", "trilinear", "cubic"};
template <>
inline constexpr auto enumerator_names<CollisionIntegration> =
    std::array<std::string_view, 2>{"regular", "statistical"};
template <>
inline constexpr auto enumerator_names<CollisionStencil> =
    std::array<std::string_view, 4>{"five", "seven", "ten", "two_pair"};
template <>
inline constexpr auto enumerator_names<CollisionSupport> = std::array<std::string_view, 2>{"box", "ball"};
template <>
inline constexpr auto enumerator_names<CollisionProjection> =
    std::array<std::string_view, 3>{"none", "uniform", "maxwellian"};
template <>
inline constexpr auto enumerator_names<NegativeDistribution> = std::array<std::string_view, 2>{"error", "accept"};

}  // namespace shoal
