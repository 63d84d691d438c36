// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of a CUDA run: their memory, and the launches that move them before a stage.
#pragma once
#include <shoal/array.hpp>
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <vector>

#include "ranks/exact_sums.hpp"
#include "sph/ranks/contact_ranks.hpp"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/passes/body_kernels.cuh"

namespace shoal::sph {

/// The bodies have the same state on all ranks: loads are summed exactly over the particles of each, and every rank then
/// moves all bodies. On one rank the host takes no part; several ranks add their sums on the host.
template <class Real, int dimensions>
class DeviceBodies {
 public:
  DeviceBodies(const Queue& queue, const Setup<Real, dimensions>& setup)
      : queue_(queue),
        ranks_(setup.ranks),
        integrator_(setup.parameters.integrator),
        first_(setup.tables.first_initial),
        body_(queue, 0),
        before_(queue, 0),
        now_(queue, 0),
        load_(queue, 0),
        largest_(queue, 0),
        sum_(queue, 0),
        spring_(queue, 0),
        contact_(setup.contact),
        contacts_(queue, 0),
        pull_(queue, 0) {
    if (setup.rigid_bodies.empty()) return;
    std::vector<BodyStage> start;
    for (const RigidBodyState& state : setup.state.rigid_bodies) start.push_back({to_body_state(state), {}});
    const auto moving = static_cast<std::int64_t>(setup.initial.size()) / dimensions;
    body_ = to_device(queue, setup.rigid_bodies);
    now_ = to_device(queue, start);
    before_.resize(body_.count());
    load_.resize(moving);
    largest_ = to_device(queue, std::vector<Magnitudes>(start.size()));
    sum_ = to_device(queue, std::vector<Sums>(start.size()));
    pull_.resize(body_.count());
    if (!setup.springs.empty()) spring_ = to_device(queue, setup.springs);
    if (contact_.stiffness > 0)
      contacts_ = to_device(
          queue, std::vector<ContactSums>(static_cast<std::size_t>(contact_count(static_cast<int>(start.size())))));
  }

  bool empty() const { return body_.count() == 0; }

  /// States between steps, or before the step that failed.
  std::vector<RigidBodyState> states(bool before_step) const {
    std::vector<RigidBodyState> states;
    if (empty()) return states;
    if (before_step)
      for (const BodyState& state : to_host(queue_, before_)) states.push_back(to_rigid_body_state(state));
    else
      for (const BodyStage& body : to_host(queue_, now_)) states.push_back(to_rigid_body_state(body.state));
    return states;
  }

  /// @name Between steps
  /// @{
  void set_control(std::size_t body, const BodyControl& control) { put(&body_.data()[body].control, control); }
  void set_state(std::size_t body, const RigidBodyState& state) { put(&now_.data()[body].state, to_body_state(state)); }
  /// @}

  /// Moves the bodies through a stage, and plans the poses to which the stage then brings their particles. Collective.
  /// @param walls     bound of the number of listed walls
  /// @param exchange  of a run on several ranks, else null
  template <class Search, class Physics, class Exchange>
  void move(const Lane& lane, const Parameters<Real, dimensions>& parameters,
            const StepArrays<Real, dimensions>& arrays, const StageArguments<Real, dimensions>& stage,
            std::int32_t walls, StepPlan<dimensions>* plan, Exchange* exchange) {
    constexpr int width = Search::wall_width;
    const BodyArrays bodies = view();
    Parameters<Real, dimensions> without_gravity = parameters;
    for (Real& g : without_gravity.gravity) g = 0;
    lane.run("sum_body_forces", std::int64_t{walls} * width, sum_body_forces<Search, Physics, width, Real, dimensions>,
             without_gravity, arrays, stage.now, stage.stage, bodies);
    if (exchange) exchange->all_max(reinterpret_cast<std::uint64_t*>(bodies.largest), bodies.count * load_components);
    lane.run("add_body_loads", walls, add_body_loads<Real, dimensions>, arrays, bodies, first_);
    if (bodies.contacts)
      lane.run("sum_contacts", std::int64_t{walls} * width, sum_contacts<Search, Physics, width, Real, dimensions>,
               parameters, arrays, stage.now, stage.stage, bodies);
    if (exchange) add_ranks_on_host();
    if (bodies.springs > 0 || bodies.contacts) lane.run("pull_bodies", bodies.count, pull_bodies, arrays.clock, bodies);
    lane.run("move_bodies", bodies.count, move_bodies<dimensions>, integrator_, stage.stage, arrays.clock, bodies,
             plan);
  }

 private:
  using Magnitudes = std::array<std::uint64_t, load_components>;
  using Sums = std::array<ExactSum, load_components>;

  /// Writes a member of an array.
  template <class Member>
  void put(Member* member, const Member& value) {
    copy_bytes(queue_, member, queue_.device(), &value, {}, sizeof value);
    queue_.wait();
  }

  BodyArrays view() {
    return {.count = static_cast<int>(body_.count()),
            .body = body_.data(),
            .before = before_.data(),
            .now = now_.data(),
            .load = load_.data(),
            .largest = reinterpret_cast<unsigned long long*>(largest_.data()),
            .sum = reinterpret_cast<ExactSum*>(sum_.data()),
            .springs = static_cast<int>(spring_.count()),
            .spring = spring_.data(),
            .contact = contact_,
            .contacts = contacts_.count() > 0 ? contacts_.data() : nullptr,
            .pull = pull_.data()};
  }

  /// Adds the sums of all ranks.
  void add_ranks_on_host() {
    add_ranks_on_host(sum_);
    if (contacts_.count() > 0) add_ranks_on_host(contacts_);
  }
  template <class Part>
  void add_ranks_on_host(Array<Part>& array) {
    std::vector<Part> sums = to_host(queue_, array);
    add_ranks(ranks_, sums);
    copy(queue_, View<const Part>(sums), View<Part>(array.data(), array.count(), array.device()));
  }

  Queue queue_;
  Communicator ranks_;
  Integrator integrator_;
  std::int64_t first_;  ///< id of the first particle of a moving wall
  Array<BodyParameters> body_;
  Array<BodyState> before_;
  Array<BodyStage> now_;
  Array<BodyLoad> load_;
  Array<Magnitudes> largest_;
  Array<Sums> sum_;
  Array<SpringParameters> spring_;
  ContactParameters contact_;
  Array<ContactSums> contacts_;
  Array<BodyLoad> pull_;
};

}  // namespace shoal::sph
