// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/binning.hpp"

/// The two sides of deposit/binning.hpp.
namespace shoal {

namespace cpu {
template <class Real, class Places>
void find_places(const Queue& queue, const DepositPlacing<Real>& placing, const Places& places);

template <class Real>
void order_places(const Queue& queue, View<const ParticlePlace<Real>> by_number, View<const std::int32_t> order,
                  const ParticlePlaces<Real>& places);

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);
}  // namespace cpu

namespace cuda {
template <class Real, class Places>
void find_places(const Queue& queue, const DepositPlacing<Real>& placing, const Places& places);

template <class Real>
void order_places(const Queue& queue, View<const ParticlePlace<Real>> by_number, View<const std::int32_t> order,
                  const ParticlePlaces<Real>& places);

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);
}  // namespace cuda

}  // namespace shoal
