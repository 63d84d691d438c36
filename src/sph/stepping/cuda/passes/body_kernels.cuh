// SPDX-License-Identifier: Apache-2.0
// The kernels that move rigid bodies through a stage on CUDA: forces on their particles, exact sums of these and of
// contacts, and motion.
#pragma once
#include "core/cuda/warp.cuh"
#include "ranks/exact_sum_item.hpp"
#include "sph/physics/bodies/body_load_item.hpp"
#include "sph/physics/bodies/contact_item.hpp"
#include "sph/physics/bodies/spring_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"
#include "sph/stepping/cuda/stages.cuh"

namespace shoal::sph {

/// Components of a BodyLoad.
constexpr int load_components = 6;

/// Device arrays of the rigid bodies of a run.
struct BodyArrays {
  int count;                   ///< number of bodies
  const BodyParameters* body;  ///< [count]
  BodyState* before;           ///< [count] at the start of the step
  BodyStage* now;              ///< [count] after the latest stage
  BodyLoad* load;              ///< loads by single particles, by id from that of the first particle of a moving wall on
  unsigned long long* largest;     ///< [count][load_components] largest magnitude_bits() of these; 0 between stages
  ExactSum* sum;                   ///< [count][load_components] their sums; 0 between stages
  int springs;                     ///< number of springs
  const SpringParameters* spring;  ///< [springs]
  ContactParameters contact;
  ContactSums* contacts;  ///< [contact_count(count)] of each two partners; 0 between stages; null without contact
  BodyLoad* pull;         ///< [count] loads by springs and contacts; not written without these

  __device__ bool are_pulled() const { return springs > 0 || contacts; }
  __device__ const BodyState& state(int k) const { return now[k].state; }

  /// Body of a listed wall particle of a launch; −1: it belongs to none, or there is no such particle.
  template <class Real, int dimensions>
  __device__ int body_of_listed(const StepArrays<Real, dimensions>& arrays, std::int64_t k) const {
    if (k >= arrays.listed_walls()) return -1;
    return body_of(body, count, arrays.base.properties[arrays.listed_wall(k)].movement());
  }
};

/// Component of a load: of the force, then of the moment.
__device__ inline double component_of(const BodyLoad& load, int k) {
  return k < 3 ? load.force[k] : load.moment[k - 3];
}

/// Sums the force of the fluid on each particle of a body, and finds the largest components of the loads of each body.
/// Before the first stage it finds the neighbors of these particles that are not in a list.
/// @param parameters  without gravity
template <class Search, class Physics, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads)
    sum_body_forces(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                    StateView<Real, dimensions> now, int stage, BodyArrays bodies) {
  join_chain(arrays.is_small);
  if (!arrays.clock->running) return;
  const std::int64_t k = thread_index() / width;
  const int body = bodies.body_of_listed(arrays, k);
  const bool present = body >= 0;
  const std::int32_t i = present ? arrays.listed_wall(k) : 0;
  if constexpr (!Search::has_list)
    if (stage == 0) Search::template find<Physics, width>(parameters, arrays, i, present, false);
  Vector3 force{};
  const auto wall = load<Physics>(now, i);
  if (present)
    Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
      add_body_force<Physics>(parameters, wall, load<Physics>(now, j), force);
    });
  for (double& component : force.component) component = Team<width>::sum(component);
  if (!present || Team<width>::lane() != 0) return;
  const ModelTables<Real, dimensions>& tables = *parameters.tables;
  const std::int64_t id = id_of_label(arrays.base_label[i]);
  const BodyLoad load = body_load(bodies.body[body], bodies.now[body].state, tables, id, force);
  bodies.load[id - tables.first_initial] = load;
  for (int q = 0; q < load_components; ++q) raise(bodies.largest[body * load_components + q], component_of(load, q));
}

/// Adds the loads of the particles of each body, as whole numbers, whose sums have no order.
/// @param first  id of the first particle of a moving wall
template <class Real, int dimensions>
__global__ void add_body_loads(StepArrays<Real, dimensions> arrays, BodyArrays bodies, std::int64_t first) {
  join_chain(true);
  if (!arrays.clock->running) return;
  const std::int64_t k = thread_index();
  const int own_body = bodies.body_of_listed(arrays, k);
  BodyLoad load{};
  if (own_body >= 0) load = bodies.load[id_of_label(arrays.base_label[arrays.listed_wall(k)]) - first];
  for (int body = 0; body < bodies.count; ++body) {
    if (!__any_sync(whole_warp, own_body == body)) continue;
    for (int q = 0; q < load_components; ++q) {
      const int number = body * load_components + q;
      ExactSum part;
      if (own_body == body) part.add(component_of(load, q), SumUnit(bodies.largest[number]));
      for (int fold = 0; fold < ExactSum::folds; ++fold) {
        const long long sum = warp_sum(static_cast<long long>(part.fold[fold]));
        auto* const total = reinterpret_cast<unsigned long long*>(&bodies.sum[number].fold[fold]);
        if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(total, static_cast<unsigned long long>(sum));
      }
    }
  }
}

/// Adds the sums of the threads of a warp that have the same two partners.
/// @param number  of the two partners; −1: the thread has no sums
__device__ inline void add_contacts(const BodyArrays& bodies, int number, const ContactSums& sums) {
  for (unsigned left = __ballot_sync(whole_warp, number >= 0); left != 0;
       left = __ballot_sync(whole_warp, number >= 0)) {
    const int shared = __shfl_sync(whole_warp, number, __ffs(static_cast<int>(left)) - 1);
    for (int k = 0; k < contact_terms; ++k)
      for (int fold = 0; fold < ExactSum::folds; ++fold) {
        const long long sum = warp_sum(static_cast<long long>(number == shared ? sums.term[k].fold[fold] : 0));
        auto* const total = reinterpret_cast<unsigned long long*>(&bodies.contacts[shared].term[k].fold[fold]);
        if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(total, static_cast<unsigned long long>(sum));
      }
    if (number == shared) number = -1;
  }
}

/// Sums the pairs of the particles of bodies with walls and other bodies that they touch, after sum_body_forces() has
/// found the neighbors. A thread that finds several partners visits its neighbors again for each of them.
template <class Search, class Physics, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads)
    sum_contacts(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                 StateView<Real, dimensions> now, int stage, BodyArrays bodies) {
  join_chain(true);
  if (!arrays.clock->running) return;
  const std::int64_t k = thread_index() / width;
  const int body = bodies.body_of_listed(arrays, k);
  const bool present = body >= 0;
  const std::int32_t i = present ? arrays.listed_wall(k) : 0;
  const std::int64_t id = id_of_label(arrays.base_label[i]);
  const auto state_of = [&](int number) -> const BodyState& { return bodies.state(number); };
  const ContactScene<Real, dimensions, decltype(state_of)> scene{bodies.contact, parameters,   now,     stage,
                                                                 bodies.body,    bodies.count, state_of};
  int done = -1;  // the last partner whose sums have been added
  for (bool more = true; __any_sync(whole_warp, more);) {
    int next = bodies.count + 1;  // the smallest partner in contact beyond that
    ContactSums sums{};
    if (present && more)
      Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
        const int partner = scene.partner(body, j);
        ContactTerms terms;
        if (partner <= done || partner > next || !find_contact(scene, body, i, id, partner, j, terms)) return;
        if (partner < next) sums = {};
        next = partner;
        sums.add(bodies.contact, terms);
      });
    more = next <= bodies.count;
    add_contacts(bodies, more ? contact_number(bodies.count, body, next) : -1, sums);
    done = next;
  }
}

/// Sums the forces of springs and contacts on each body, before the first body moves.
__global__ inline void pull_bodies(const DeviceClock* clock, BodyArrays bodies) {
  join_chain(true);
  const auto k = static_cast<int>(thread_index());
  if (k >= bodies.count || !clock->running) return;
  BodyLoad load{};
  const auto state_of = [&](int body) -> const BodyState& { return bodies.state(body); };
  add_spring_loads(bodies.spring, bodies.springs, bodies.body, state_of, k, load);
  if (bodies.contacts) add_contact_loads(bodies.contact, bodies.contacts, bodies.count, k, load);
  bodies.pull[k] = load;
}

/// Moves each body through a stage by its load, plans the pose to which its particles then go, and clears the sums.
template <int dimensions>
__global__ void move_bodies(Integrator integrator, int stage, const DeviceClock* clock, BodyArrays bodies,
                            StepPlan<dimensions>* plan) {
  join_chain(true);
  const auto k = static_cast<int>(thread_index());
  if (k >= bodies.count || !clock->running) return;
  BodyStage now = bodies.now[k];
  if (stage == 0) {
    bodies.before[k] = now.state;
    now.turn = {};
  }
  double sum[load_components];
  const BodyLoad pull = bodies.are_pulled() ? bodies.pull[k] : BodyLoad{};
  for (int q = 0; q < load_components; ++q) {
    const int number = k * load_components + q;
    sum[q] = bodies.sum[number].value(SumUnit(bodies.largest[number])) + component_of(pull, q);
    bodies.sum[number] = {};
    bodies.largest[number] = 0;
  }
  if (bodies.contacts)
    for (int partner = 0; partner <= bodies.count; ++partner)
      bodies.contacts[contact_number(bodies.count, k, partner)] = {};
  const BodyParameters& body = bodies.body[k];
  const StageStep<double> step(integrator, stage, clock->dt, clock->step);
  const BodyLoad load{{{sum[0], sum[1], sum[2]}}, {{sum[3], sum[4], sum[5]}}};
  now = moved(body, step, bodies.before[k], now, load);
  bodies.now[k] = now;
  plan->pose[stage + 1][body.movement] = pose_of<dimensions>(body, now.state);
}

}  // namespace shoal::sph
