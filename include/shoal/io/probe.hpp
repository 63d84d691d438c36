// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <string>

namespace shoal::io {

/// The value of a probe, from the fluid particles of `fields`:
///
///     surge_front   max x_i, m; the plain maximum, so a drop that flies ahead of the flow counts
///     pressure      Σ p_i V_i W(|x_i − at|) / Σ V_i W(|x_i − at|), Pa, with the kernel of the case and V = m/ρ
///                   (Shepard's average); 0 where no fluid is within 2 h
///
/// Averaging over fluid alone makes a place on a wall take the pressure of the fluid on its wet side.
/// NaN for surge_front of a case without fluid.
/// Cost: one pass over the particles.
double measure(const sph::Probe& probe, const sph::Case& simulation, const sph::Fields& fields);

/// What `measure` gives, for the header of a table: "front [m]", "pressure [Pa]".
std::string quantity(sph::ProbeKind kind);

}  // namespace shoal::io
