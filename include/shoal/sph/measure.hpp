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
/// Cost: one pass over the particles for each point of a probe; memory for one copy of the particles. A probe that follows a
/// wall is placed by the particles of the wall, for which those of the case are made anew.
/// @param queue   of the CPU, for its threads
/// @param fields  all particles of a state; `energy` is not read
/// @throws Error  a force or moment, which needs the forces of pairs; fewer than two particles of a wall that a probe follows;
///                the errors of Solver::measure(); fields of another
///                case or of one rank of several; a queue of a GPU
std::vector<double> measure(const Queue& queue, const Case& simulation, const Fields& fields,
                            const std::vector<Probe>& probes);

/// Vorticity of the particles of fields, [n][3], 1/s: 0 for walls; in 2-D along z. With F of the kernel's gradient
/// ∇W = F x_ij and V = m/ρ, over the fluid around a particle,
///
///     ω = ∇ × v,   ∇v = (Σ V_j F (v_j − v_i) x_ijᵀ) (−Σ V_j F x_ij x_ijᵀ)⁻¹
///
/// so that a velocity that is linear in space has its own vorticity, at surfaces too; particles whose neighbors spread
/// along too few axes have the sum without the inverse. Values are those of Fields::vorticity of a run to the rounding of the
/// stored numbers.
///
/// Cost: one sort of the particles, and one pass over the neighbors of each.
/// @param queue   of the CPU, for its threads
/// @param fields  all particles of a state; `energy` and `pressure` are not used
/// @throws Error  a case in 1-D; fields of another case or of one rank of several; a queue of a GPU
/// Source: Randles and Libersky 1996.
std::vector<float> vorticity(const Queue& queue, const Case& simulation, const Fields& fields);

/// Surface of the fluid in fields by marching tetrahedra, in 2-D by marching triangles; none without fluid. It is closed, but
/// for the ends of periodic axes. Points have the bits of any number of threads.
///
/// Cost: particles times nodes of the grid within the support; memory for two layers of the grid in each thread.
/// @param queue   of the CPU, for its threads
/// @param fields  all particles of a state; positions, densities and numbers of parts are used
/// @throws Error  a case in 1-D; a spacing beyond the support of the kernel, or with too many nodes in a layer; a level that
///                is not between 0 and 1; fields of another case or of one rank of several; a queue of a GPU
/// Source: Doi and Koide 1991.
SurfaceMesh isosurface(const Queue& queue, const Case& simulation, const Fields& fields,
                       const Isosurface& options = {});

}  // namespace shoal::sph
