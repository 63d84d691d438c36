// SPDX-License-Identifier: Apache-2.0
// What a method of the solver is: something that steps the particles on one device.
#pragma once
#include <shoal/sph.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "sph/parameters.hpp"
#include "sph/probe_item.hpp"
#include "sph/state.hpp"

namespace shoal::sph {

/// The particles on the host, in the order of the method that steps them.
template <class Real, int dimensions>
struct HostState {
  Clock clock;
  std::vector<Place<Real, dimensions>> place;
  std::vector<Motion<Real, dimensions>> motion;
  std::vector<Real> energy;
  std::vector<std::uint8_t> tag;
  std::vector<std::int64_t> id;

  explicit HostState(std::size_t n = 0) : place(n), motion(n), energy(n), tag(n), id(n) {}
  std::size_t count() const { return place.size(); }
  StateView<Real, dimensions> view() { return {place.data(), motion.data(), energy.data()}; }
  Particle<Real, dimensions> particle(std::size_t i) const { return {place[i], motion[i]}; }
};

/// Where a run stops: at a time, which the last step is shortened to meet, or after a step, whichever comes first.
struct Goal {
  double time = std::numeric_limits<double>::infinity();
  std::int64_t step = std::numeric_limits<std::int64_t>::max();
};

template <class Real, int dimensions>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Steps until the goal, or until the observer says no.
  /// @throws Error  blow-up; the state is then that before the step
  virtual void advance(const Goal& goal, const Solver::Observer& observer) = 0;
  virtual Clock clock() const = 0;
  virtual HostState<Real, dimensions> download() const = 0;
  /// One sum a probe, over all particles; same bits on every call.
  virtual std::vector<ProbeSums> measure(const std::vector<ProbePlace<Real, dimensions>>& probes) const = 0;
};

/// A particle that moved too far, or is not a number, as one word whose smallest value is the first offender: an
/// earlier stage first, then the smaller id. (Later stages spread a fault to the neighbors.)
namespace fault {
constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr int stage_shift = 56;
SHOAL_HD std::uint64_t word(int stage, std::int64_t id) {
  return (static_cast<std::uint64_t>(stage) << stage_shift) | static_cast<std::uint64_t>(id);
}
constexpr std::int64_t id(std::uint64_t word) {
  return static_cast<std::int64_t>(word & ((std::uint64_t{1} << stage_shift) - 1));
}
}  // namespace fault

/// What a step says about such a particle. `largest` is the longest way of any particle, m.
std::string blow_up_message(const Clock& clock, std::uint64_t fault_word, double largest, double support);

/// The step that the CFL condition allows: cfl · min(h / (c + |v|), √(h / |a|)), over all fluid particles.
template <class Real>
SHOAL_HD double allowed_step(double cfl, Real smoothing_length, Real sound_speed, double speed_squared,
                             double push_squared) {
  const double h = smoothing_length;
  const double acoustic = h / (sound_speed + std::sqrt(speed_squared));
  const double push = std::sqrt(push_squared);
  const double pushed = push > 0 ? std::sqrt(h / push) : acoustic;
  return cfl * (acoustic < pushed ? acoustic : pushed);
}

}  // namespace shoal::sph
