// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/binning.hpp"

/// The two sides of deposit/binning.hpp.
namespace shoal {

namespace cpu {
template <class Real>
void assign_deposit_cells(const Queue& queue, const DepositPlacing<Real>& placing,
                          View<std::uint32_t> cell_of_particle);

template <class Real>
void locate_particles(const Queue& queue, const DepositPlacing<Real>& placing, const ParticlePlaces<Real>& places);

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);
}  // namespace cpu

namespace cuda {
template <class Real>
void assign_deposit_cells(const Queue& queue, const DepositPlacing<Real>& placing,
                          View<std::uint32_t> cell_of_particle);

template <class Real>
void locate_particles(const Queue& queue, const DepositPlacing<Real>& placing, const ParticlePlaces<Real>& places);

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);
}  // namespace cuda

}  // namespace shoal
