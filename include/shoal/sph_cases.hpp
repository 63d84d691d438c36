// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph_case.hpp>

#include <cstdint>

/// Cases made from a formula: what benchmarks and the paper's tables run.
namespace shoal::sph {

/// The paper's dam break at refinement k, as cases/dam_break has it for k = 1, 2 and 4: 6,462, 22,899 and 85,773
/// particles, 10,000 k steps; 28 has 4 million particles.
/// @throws Error  k < 1
Case dam_break_case(int k);

/// The paper's pressure wave with n × n particles on 10 cm × 10 cm, as cases/pressure_wave has it for n = 401, 501 and
/// 601; 2 (n − 1) steps.
/// @throws Error  n < 3
Case pressure_wave_case(int n);

/// A column of water twice as wide as high (3-D: and as deep as high) beside a dry floor of the same width, of about so
/// many particles with its walls.
/// @throws Error  dimensions are not 2 or 3, fewer than 100 particles
Case column_case(std::int64_t particles, int dimensions);

}  // namespace shoal::sph
