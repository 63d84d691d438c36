// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/directions.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace shoal {

/// A uniform grid of velocities, a cube of nodes³ that lie at the centers of as many cells:
///
///     v = center − half_width + (i + 1/2) spacing,     spacing = 2 half_width / nodes
///
/// Numbered with x fastest. A distribution f is given at the nodes.
struct VelocityGrid {
  int nodes = 32;                     ///< along each axis, 8 to 128
  double half_width = 1;              ///< m/s, from the center to each face
  std::array<double, 3> center = {};  ///< m/s

  double spacing() const { return 2 * half_width / nodes; }
  std::int64_t node_count() const { return static_cast<std::int64_t>(nodes) * nodes * nodes; }
  double at(int axis, int i) const {
    return center[static_cast<std::size_t>(axis)] - half_width + (i + 0.5) * spacing();
  }
};

/// How molecules scatter: the cross-section σ(|V|, χ), of total σ_T.
enum class MoleculeModel {
  maxwell,      ///< |V| σ_T constant, isotropic
  hard_sphere,  ///< σ_T = π d², isotropic
  vhs,          ///< variable hard sphere: σ_T falls with |V| as viscosity rises with temperature, isotropic
  vss           ///< variable soft sphere: as vhs, forward scattering ∝ cos^(2α − 2)(χ/2)
};
template <>
inline constexpr auto enumerator_names<MoleculeModel> =
    std::array<std::string_view, 4>{"maxwell", "hard_sphere", "vhs", "vss"};

/// The molecules of a gas. Members that the model does not use are ignored.
///
///     vhs, vss:  |V| σ_T = π d² |V| (4 k T_ref / (m |V|²))^(ω − 1/2) / Γ(5/2 − ω)
///
/// Source: Bird (1994), "Molecular gas dynamics and the direct simulation of gas flows", chapter 2.
struct Molecules {
  MoleculeModel model = MoleculeModel::maxwell;
  double rate = 1;                   ///< m³/s, maxwell: |V| σ_T, collisions of a molecule a second and density
  double diameter = 0;               ///< m, the others: d; of vhs and vss at the reference temperature
  double viscosity_exponent = 0.5;   ///< vhs, vss: ω, from 1/2 (hard spheres) to 1 (Maxwell)
  double reference_temperature = 0;  ///< K, vhs, vss
  double mass = 0;                   ///< kg, vhs, vss
  double scattering_exponent = 1;    ///< vss: α, 1 is isotropic
};

/// How the integral is put on the grid. Approaches differ in their errors, methods of one approach only in speed.
enum class CollisionApproach {
  interpolated,  ///< f(v′) f(v₁′) interpolated at the velocities after each collision
  conservative,  ///< what each collision moves goes to nodes that take its mass, momentum and energy exactly
  spectral,      ///< fast Fourier-Galerkin
  carleman       ///< Fourier-Galerkin in Carleman's variables: hard spheres, and others with the same viscosity
};
template <>
inline constexpr auto enumerator_names<CollisionApproach> =
    std::array<std::string_view, 4>{"interpolated", "conservative", "spectral", "carleman"};

/// interpolated: what is between the nodes.
enum class VelocityInterpolation { trilinear, cubic };
template <>
inline constexpr auto enumerator_names<VelocityInterpolation> = std::array<std::string_view, 2>{"trilinear", "cubic"};

/// conservative: the nodes around v′ and v₁′ that take a collision's mass.
enum class CollisionStencil {
  five,     ///< nearest node, three neighbors toward v′, one across (Varghese 2007)
  seven,    ///< nearest node and its six neighbors
  ten,      ///< keeps all second moments
  two_pair  ///< two pairs of nodes; weights never negative (Tcheremissine 2006)
};
template <>
inline constexpr auto enumerator_names<CollisionStencil> =
    std::array<std::string_view, 4>{"five", "seven", "ten", "two_pair"};

/// interpolated, conservative: which nodes collide. f elsewhere is checked, but takes no part, and Q is 0 there.
enum class CollisionSupport {
  box,  ///< all of them
  ball  ///< those with |v − center| ≤ half_width: a quarter of the work, right as long as the corners hold nothing
};
template <>
inline constexpr auto enumerator_names<CollisionSupport> = std::array<std::string_view, 2>{"box", "ball"};

/// Brings mass, momentum and energy of Q to zero by the smallest change.
enum class CollisionProjection {
  none,
  uniform,    ///< smallest in the sense of least squares: also reaches nodes where there is no gas
  maxwellian  ///< the change is in proportion to the Maxwellian of f
};
template <>
inline constexpr auto enumerator_names<CollisionProjection> =
    std::array<std::string_view, 3>{"none", "uniform", "maxwellian"};

/// What becomes of a negative f, which spectral approaches make of small ones.
enum class NegativeDistribution { error, accept };
template <>
inline constexpr auto enumerator_names<NegativeDistribution> = std::array<std::string_view, 2>{"error", "accept"};

struct CollisionOptions {
  CollisionApproach approach = CollisionApproach::conservative;
  std::string method = "auto";  ///< a row of methods("collision") that knows the approach, or "auto"
  DirectionOptions directions = {};
  CollisionSupport support = CollisionSupport::box;  ///< interpolated, conservative

  VelocityInterpolation interpolation = VelocityInterpolation::trilinear;  ///< interpolated
  bool over_maxwellian = false;  ///< interpolated: f/M is interpolated, M the Maxwellian of f: equilibrium stays

  CollisionStencil stencil = CollisionStencil::seven;  ///< conservative
  bool symmetrized = true;  ///< conservative: inverse collisions too: a Maxwellian stays, entropy never falls

  int radii = 16;     ///< spectral: Gauss points of |V|
  double cutoff = 0;  ///< m/s, spectral, carleman: most |V|; 0: 4 half_width / (3 + √2), carleman 7/6 half_width
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

/// ∫ (1, v, v²) Q: zero in theory.
struct CollisionDefects {
  double mass = 0;                      ///< m⁻³ s⁻¹
  std::array<double, 3> momentum = {};  ///< m⁻² s⁻²
  double energy = 0;                    ///< m⁻¹ s⁻³
  double mass_moved = 0;                ///< ∫ |Q|, ∫ |v Q| and ∫ v² |Q|: what the defects are small against
  double momentum_moved = 0;
  double energy_moved = 0;
};

/// Boltzmann's collision integral of a distribution of velocities:
///
///     Q(v) = ∫ dv₁ ∫ dn |V| σ(|V|, χ) [f(v′) f(v₁′) − f(v) f(v₁)],    V = v − v₁,    v′, v₁′ = (v + v₁)/2 ± n |V|/2
///
/// with n over the whole unit sphere, without a factor of 1/2. Several cells, each with a distribution of its own, go
/// in one call: their arrays follow each other.
///
///     shoal::Collision<double> collision(queue, {.nodes = 32, .half_width = 5.5}, {.rate = 1});
///     collision.evaluate(f, q);
///     queue.wait();
///
/// A plan keeps its memory: to evaluate again allocates only for more cells than ever before.
///
/// Cost for M directions and N nodes along an axis: `interpolated` and `conservative` O(N⁶) pairs and, factorized,
/// about M N⁵ / 10 spheres; `spectral` O(M radii N³ log N); `carleman` O(M N³ log N). docs/collision.md has the
/// derivations.
///
/// `Real` is float or double. The methods' cards are in src/collision/methods.
/// Source: Malkov and Ivanov, "Solving the Boltzmann equation on GPU"; the methods name their own.
template <class Real>
class Collision {
 public:
  /// @throws Error  naming the grid's, molecules' or option's member that makes no sense; no such method; the approach
  ///                does not know these molecules
  Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules,
            const CollisionOptions& options = {});
  ~Collision();
  Collision(Collision&&) noexcept;
  Collision& operator=(Collision&&) noexcept;

  /// @param f  [cells × grid.node_count()] s³ m⁻⁶, any stride, on the queue's device
  /// @param q  as many, s² m⁻⁶, overwritten
  /// @throws Error  at once: no whole number of cells, counts differ, wrong device
  /// @throws Error  at Queue::wait(): f is negative or not finite; names the first node
  void evaluate(View<const Real> f, View<Real> q);

  /// How often a molecule of each velocity collides: ν(v) = ∫ f(v₁) |V| σ_T dv₁, summed over the nodes, to
  /// rounding of the largest. Outside the support it is 0.
  /// Cost: O(N³) for Maxwell molecules, else O(N³ log N); O(N⁶) in a build without FFTW, or on CUDA without cuFFT.
  /// @param frequency  [cells × nodes] s⁻¹, overwritten
  void frequency(View<const Real> f, View<Real> frequency);

  /// The loss term f(v) ν(v) alone.
  /// @param loss  [cells × nodes] s² m⁻⁶, overwritten
  void loss(View<const Real> f, View<Real> loss);

  /// The longest explicit step that leaves loss alone from making f negative: 1 / max ν. Waits for the queue.
  double step_bound(View<const Real> f);

  /// @throws Error  the step is not positive, or longer than step_bound(); says what would do
  void require_step(View<const Real> f, double step);

  /// One for each cell. Wait for the queue.
  std::vector<VelocityMoments> moments(View<const Real> f);
  std::vector<double> entropy(View<const Real> f);  ///< −∫ f ln f; not a number where f < 0
  std::vector<double> entropy_production(View<const Real> f,
                                         View<const Real> q);  ///< −∫ Q ln f: never negative in theory
  std::vector<CollisionDefects> defects(View<const Real> q);

  /// What the grid is too small for, in words, cell by cell: mass at the edge of the box, or of the ball and beyond it,
  /// a box or a spacing that does not suit the temperature, with the nodes and half width that would. Empty if all is
  /// well. Waits for the queue.
  std::vector<std::string> warnings(View<const Real> f);

  const Queue& queue() const;
  const VelocityGrid& grid() const;
  const Directions& directions() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
