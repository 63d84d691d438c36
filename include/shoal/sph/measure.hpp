// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/sph.hpp>

#include <vector>

namespace shoal::sph {

/// Values of probes in the fields of an earlier time, one after the other, as Solver::measure() had them then: the same
/// sums over the particles, with the numbers of the fields. These are floats, but for positions; a file holds floats also of
/// positions, unless the case computes in double. ProbeKind has the formulas.
///
/// Cost: one pass over the particles for each point of a probe; memory for one copy of the particles.
/// @param queue   of the CPU, for its threads
/// @param fields  all particles of a state; `energy` is not read
/// @throws Error  a force or moment, which needs the forces of pairs; the errors of Solver::measure(); fields of another
///                case or of one rank of several; a queue of a GPU
std::vector<double> measure(const Queue& queue, const Case& simulation, const Fields& fields,
                            const std::vector<Probe>& probes);

}  // namespace shoal::sph
