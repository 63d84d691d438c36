// SPDX-License-Identifier: Apache-2.0
#include "sph/control/host_control.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/communication/rank_group.hpp"
#include "ranks/exact_sum_item.hpp"

namespace shoal::sph {

namespace {

/// The largest limits of all ranks.
template <class Real>
ValueLimits<Real> limits_of_ranks(const Communicator& ranks, const ValueLimits<Real>& limits) {
  if (ranks.size() == 1) return limits;
  std::array<std::uint64_t, 2> words{magnitude_bits(static_cast<double>(limits.speed_squared)),
                                     magnitude_bits(static_cast<double>(limits.acceleration_squared))};
  ranks.group().all_max(words);
  return {static_cast<Real>(std::bit_cast<double>(words[0])), static_cast<Real>(std::bit_cast<double>(words[1]))};
}

/// Finds the first row that a request names for the second time.
std::uint64_t find_twice(const SetRequest& request, std::int64_t rows) {
  if (!request.row) return refusal::none;
  std::vector<bool> named(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < request.count; ++k) {
    if (request.row[k] < 0) continue;
    if (named[static_cast<std::size_t>(request.row[k])]) return refusal::word(k, refusal::twice);
    named[static_cast<std::size_t>(request.row[k])] = true;
  }
  return refusal::none;
}

}  // namespace

template <class Real, int dimensions>
ParticleRows<Real, dimensions> HostControl<Real, dimensions>::particles() {
  return {.state = state_.view(),
          .id = state_.id.data(),
          .tag = state_.tag.data(),
          .cell = cell_.data(),
          .count = static_cast<std::int64_t>(state_.count()),
          .outside = parameters_.cell_count};
}

template <class Real, int dimensions>
void HostControl<Real, dimensions>::copy(const Lattice& lattice, const ParticleCopies& copies) {
  const ParticleRows<Real, dimensions> present = particles();
  with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = 0; i < present.count; ++i) copy_row<Physics>(parameters_, lattice, present, copies, i);
  });
}

template <class Real, int dimensions>
std::uint64_t HostControl<Real, dimensions>::find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids,
                                                       std::int64_t* row) {
  const ParticleRows<Real, dimensions> present = particles();
  std::vector<std::int64_t> row_of_id(static_cast<std::size_t>(end_of_ids), -1);
  for (std::int64_t i = 0; i < present.count; ++i)
    if (const std::int64_t id = present.id_of(i); id >= 0) row_of_id[static_cast<std::size_t>(id)] = i;
  std::uint64_t refused = refusal::none;
  for (std::int64_t k = 0; k < ids.count; ++k) {
    const std::int64_t id = ids.data[k * ids.stride];
    row[k] = id >= 0 && id < end_of_ids ? row_of_id[static_cast<std::size_t>(id)] : -1;
    if (row[k] < 0) refused = std::min(refused, refusal::word(k, refusal::no_particle));
  }
  return refused;
}

template <class Real, int dimensions>
std::uint64_t HostControl<Real, dimensions>::check(const SetRequest& request) {
  const ParticleRows<Real, dimensions> present = particles();
  std::uint64_t refused = find_twice(request, present.count);
  with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(min : refused)
    for (std::int64_t k = 0; k < request.count; ++k)
      refused = std::min(refused, check_value<Physics>(parameters_, present, request, k));
  });
  return refused;
}

template <class Real, int dimensions>
void HostControl<Real, dimensions>::set(const SetRequest& request, std::int64_t end_of_ids) {
  if (request.quantity == Quantity::acceleration)
    acceleration_.resize(std::max(acceleration_.size(), static_cast<std::size_t>(end_of_ids * dimensions)));
  const ParticleRows<Real, dimensions> present = particles();
  Real speed_squared = 0, acceleration_squared = 0;
  with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(max : speed_squared, acceleration_squared)
    for (std::int64_t k = 0; k < request.count; ++k) {
      const ValueLimits<Real> limits = set_row<Physics>(parameters_, present, request, k, acceleration_.data());
      speed_squared = std::max(speed_squared, limits.speed_squared);
      acceleration_squared = std::max(acceleration_squared, limits.acceleration_squared);
    }
  });
  state_.clock.next_dt = shortened_step<Real>(parameters_.control, state_.clock.next_dt,
                                              limits_of_ranks<Real>(ranks_, {speed_squared, acceleration_squared}));
}

template <class Real, int dimensions>
void HostControl<Real, dimensions>::clear_acceleration() {
  acceleration_.clear();
}

template <class Real, int dimensions>
std::int32_t HostControl<Real, dimensions>::find_near(const Parameters<Real, dimensions>& domain,
                                                      const SortedPositions<Real, dimensions>& added) {
  return change_.find_near(domain, added);
}

template <class Real, int dimensions>
void HostControl<Real, dimensions>::add(const HostState<Real, dimensions>& added, double most_dt) {
  change_.add(added, most_dt);
}

template <class Real, int dimensions>
std::uint64_t HostControl<Real, dimensions>::mark(const Lattice& lattice, const RemoveRequest& request) {
  return change_.mark(lattice, particles(), request);
}

template <class Real, int dimensions>
std::int64_t HostControl<Real, dimensions>::marked() {
  return change_.marked();
}

template <class Real, int dimensions>
void HostControl<Real, dimensions>::remove_marked() {
  change_.remove_marked();
}

template <class Real, int dimensions>
ValueLimits<Real> HostControl<Real, dimensions>::accelerate(const StageStep<Real>& step,
                                                            const StateView<Real, dimensions>& next,
                                                            const std::int64_t* id, std::int64_t begin,
                                                            std::int64_t end) const {
  const auto known = static_cast<std::int64_t>(acceleration_.size()) / dimensions;
  Real speed_squared = 0, acceleration_squared = 0;
  with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(max : speed_squared, acceleration_squared)
    for (std::int64_t i = begin; i < end; ++i) {
      if (is_wall(next.position[i]) || id[i] >= known) continue;
      const ValueLimits<Real> limits =
          add_acceleration<Physics>(parameters_, step, acceleration_.data() + id[i] * dimensions, next, i);
      speed_squared = std::max(speed_squared, limits.speed_squared);
      acceleration_squared = std::max(acceleration_squared, limits.acceleration_squared);
    }
  });
  return {speed_squared, acceleration_squared};
}

template class HostControl<float, 1>;
template class HostControl<float, 2>;
template class HostControl<float, 3>;
template class HostControl<double, 1>;
template class HostControl<double, 2>;
template class HostControl<double, 3>;

}  // namespace shoal::sph
