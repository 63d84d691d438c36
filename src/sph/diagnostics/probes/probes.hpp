// SPDX-License-Identifier: Apache-2.0
// From the probes of a case to sums over particles and back.
#pragma once
#include <limits>

#include "ranks/exact_sums.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Requires that a case of these dimensions can have the probe.
/// @throws Error  a moment or flow rate in 1-D
void require_dimensions(const Probe& probe, int dimensions);

/// Returns true for kinds whose values are sums at points; the others have the components of a wall, a body or a spring.
inline bool has_sums(ProbeKind kind) { return !has_wall(kind) && !has_spring(kind); }

/// The sums that a probe needs: one, one a point of a line, one a cell of a section, one a sample on the way to a surface,
/// or vorticity_moments(); none without has_sums().
/// @throws Error  a place outside the domain; an impossible section or line; the dimensions; an
///                unknown material
template <class Real, int dimensions>
std::vector<ProbePoint<Real, dimensions>> probe_points(const Probe& probe, const Lattice& lattice,
                                                       const Case& simulation);

/// Returns true if all points of a probe are in the domain.
bool is_in_domain(const Probe& probe, const Lattice& lattice, int dimensions, double spacing);

/// The number of the wall that a probe names.
/// @throws Error  there is none; the message lists those there are
std::size_t wall_number(const Case& simulation, const Probe& probe);

/// The number of the material that a probe names; -1 if it names none.
/// @throws Error  there is none; the message lists those there are
int material_number(const Case& simulation, const Probe& probe);

/// Sums of a probe from exact sums.
inline ProbeSums probe_sums(const GroupSums<probe_quantities>& sums) {
  ProbeSums values{};
  std::copy(sums.sum.begin(), sums.sum.end(), values.value);
  values.furthest = sums.largest[0];
  return values;
}

/// Sums of probes over the particles of a state on the host, of all ranks. Collective.
template <class Real, int dimensions>
std::vector<ProbeSums> sum_probes(const HostState<Real, dimensions>& state,
                                  const Parameters<Real, dimensions>& parameters, const Communicator& ranks,
                                  int threads, const std::vector<ProbePoint<Real, dimensions>>& points);

/// Appends those components of a force or moment that the probe has columns for.
void append_components(const Probe& probe, int dimensions, const Vector& components, std::vector<double>& values);

/// Appends the values of a probe.
/// @param sums  [probe_points()]
void append_values(const Probe& probe, const Case& simulation, const Lattice& lattice, const ProbeSums* sums,
                   std::vector<double>& values);

/// Values of probes, one after the other; NaN for those that a wall carried out of the domain.
/// @param sums     sums(points) gives one sum a point
/// @param components  components(probe) gives the vector of a probe on a wall or a spring
template <class Real, int dimensions, class Sums, class ComponentsOf>
std::vector<double> probe_values(const std::vector<Probe>& probes, const Case& simulation, const Lattice& lattice,
                                 const Sums& sums, const ComponentsOf& components) {
  std::vector<ProbePoint<Real, dimensions>> points;
  std::vector<std::size_t> first;  // index into `points`, for each probe
  const auto is_gone = [&](const Probe& probe) {
    return !probe.follows.empty() && !is_in_domain(probe, lattice, dimensions, simulation.spacing);
  };
  for (const Probe& probe : probes) {
    first.push_back(points.size());
    if (is_gone(probe)) continue;
    const auto points_of_probe = probe_points<Real, dimensions>(probe, lattice, simulation);
    points.insert(points.end(), points_of_probe.begin(), points_of_probe.end());
  }
  const std::vector<ProbeSums> sums_of_points = sums(points);
  std::vector<double> values;
  for (std::size_t k = 0; k < probes.size(); ++k) {
    if (is_gone(probes[k]))
      values.resize(values.size() + probe_columns(probes[k], dimensions).size(),
                    std::numeric_limits<double>::quiet_NaN());
    else if (has_sums(probes[k].kind))
      append_values(probes[k], simulation, lattice, sums_of_points.data() + first[k], values);
    else
      append_components(probes[k], dimensions, components(probes[k]), values);
  }
  return values;
}

}  // namespace shoal::sph
