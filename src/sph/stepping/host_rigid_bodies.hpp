// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of the CPU methods during a step: their particles, the sums of forces on these, and their motion.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ranks/exact_sums.hpp"
#include "sph/physics/bodies/body_load_item.hpp"
#include "sph/physics/bodies/contact_item.hpp"
#include "sph/physics/bodies/spring_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"
#include "sph/ranks/contact_ranks.hpp"

namespace shoal::sph {

/// A particle of a body in the arrays of a step.
struct BodyParticle {
  std::int64_t particle;
  std::size_t body;
};

template <class Real, int dimensions>
class HostRigidBodies {
 public:
  HostRigidBodies(std::vector<BodyParameters> bodies, std::vector<SpringParameters> springs,
                  const ContactParameters& contact, const Communicator& ranks, int threads)
      : bodies_(std::move(bodies)), springs_(std::move(springs)), contact_(contact), ranks_(ranks), threads_(threads) {}

  bool empty() const { return bodies_.empty(); }
  void set_control(std::size_t body, const BodyControl& control) { bodies_[body].control = control; }
  bool have_contact() const { return contact_.stiffness > 0; }

  /// Begins a step with these states of the bodies, and finds their particles.
  /// @param start  state of the particles; those of this rank in the domain are begin to end
  void begin_step(const std::vector<RigidBodyState>& states, const StateView<Real, dimensions>& start,
                  std::int64_t begin, std::int64_t end) {
    before_.clear();
    now_.clear();
    for (const RigidBodyState& state : states) {
      before_.push_back(to_body_state(state));
      now_.push_back({before_.back(), {}});
    }
    particles_.clear();
    for (std::int64_t j = begin; j < end; ++j) {
      if (!is_wall(start.position[j])) continue;
      const int body = body_of(bodies_.data(), static_cast<int>(bodies_.size()), start.properties[j].movement());
      if (body >= 0) particles_.push_back({j, static_cast<std::size_t>(body)});
    }
  }

  /// Sums the pairs of each two partners in contact, before a stage moves the bodies. Collective.
  /// @param parameters    with the tables of the run
  /// @param now           state of the particles at the start of the stage
  /// @param id            [n] ids of the particles
  /// @param for_each_near  for_each_near(j, visit) calls visit(i) for the neighbors i of particle j
  template <class ForEachNear>
  void touch(const Parameters<Real, dimensions>& parameters, int stage, const StateView<Real, dimensions>& now,
             const std::int64_t* id, const ForEachNear& for_each_near) {
    const int count = static_cast<int>(bodies_.size());
    const auto state_of = [&](int body) -> const BodyState& { return now_[static_cast<std::size_t>(body)].state; };
    const ContactScene<Real, dimensions, decltype(state_of)> scene{contact_,       parameters, now,     stage,
                                                                   bodies_.data(), count,      state_of};
    contacts_.assign(static_cast<std::size_t>(contact_count(count)), {});
#pragma omp parallel num_threads(threads_)
    {
      std::vector<ContactSums> sums(contacts_.size());
#pragma omp for
      for (std::size_t k = 0; k < particles_.size(); ++k) {
        const std::int64_t i = particles_[k].particle;
        const auto body = static_cast<int>(particles_[k].body);
        for_each_near(i, [&](std::int64_t j) {
          const int partner = scene.partner(body, j);
          ContactTerms terms;
          if (partner >= 0 && find_contact(scene, body, i, id[i], partner, j, terms))
            sums[static_cast<std::size_t>(contact_number(count, body, partner))].add(contact_, terms);
        });
      }
#pragma omp critical
      for (std::size_t number = 0; number < sums.size(); ++number) contacts_[number].add(sums[number]);
    }
    add_ranks(ranks_, contacts_);
  }

  /// Moves the bodies through a stage, and plans the poses to which advance_wall() then brings their particles. Collective.
  /// @param id        [n] ids of the particles
  /// @param force_on  force_on(j) returns the force of the fluid on particle j, N
  template <class ForceOn>
  void move(const StageStep<double>& step, const ModelTables<Real, dimensions>& tables, const std::int64_t* id,
            const ForceOn& force_on, StepPlan<dimensions>& plan) {
    std::vector<BodyLoad> loads = sum_loads(tables, id, force_on);
    const auto count = static_cast<int>(bodies_.size());
    for (int k = 0; k < count; ++k) {  // before the first body moves
      BodyLoad& load = loads[static_cast<std::size_t>(k)];
      add_spring_loads(
          springs_.data(), static_cast<int>(springs_.size()), bodies_.data(),
          [&](int body) -> const BodyState& { return now_[static_cast<std::size_t>(body)].state; }, k, load);
      if (have_contact()) add_contact_loads(contact_, contacts_.data(), count, k, load);
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      now_[k] = moved(bodies_[k], step, before_[k], now_[k], loads[k]);
      plan.pose[step.stage + 1][bodies_[k].movement] = pose_of<dimensions>(bodies_[k], now_[k].state);
    }
  }

  /// States after the last stage.
  std::vector<RigidBodyState> states() const {
    std::vector<RigidBodyState> states;
    for (const BodyStage& body : now_) states.push_back(to_rigid_body_state(body.state));
    return states;
  }

 private:
  /// Force and moment on each body, over all ranks.
  template <class ForceOn>
  std::vector<BodyLoad> sum_loads(const ModelTables<Real, dimensions>& tables, const std::int64_t* id,
                                  const ForceOn& force_on) const {
    std::vector<std::array<double, 6>> loads(particles_.size());
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const auto [j, body] = particles_[k];
      const auto [force, moment] = body_load(bodies_[body], now_[body].state, tables, id[j], force_on(j));
      loads[k] = {force[0], force[1], force[2], moment[0], moment[1], moment[2]};
    }
    const auto terms = [&](std::int64_t body, std::int64_t k, std::array<double, 6>& values) {
      const auto particle = static_cast<std::size_t>(k);
      if (particles_[particle].body == static_cast<std::size_t>(body)) values = loads[particle];
    };
    const auto sums = exact_sums<6>(ranks_, threads_, static_cast<std::int64_t>(bodies_.size()),
                                    static_cast<std::int64_t>(loads.size()), terms);
    std::vector<BodyLoad> totals;
    for (const auto& [sum, largest] : sums) totals.push_back({{{sum[0], sum[1], sum[2]}}, {{sum[3], sum[4], sum[5]}}});
    return totals;
  }

  std::vector<BodyParameters> bodies_;
  std::vector<SpringParameters> springs_;
  ContactParameters contact_;
  Communicator ranks_;
  int threads_;
  std::vector<BodyState> before_;        ///< states at the start of the step
  std::vector<BodyStage> now_;           ///< bodies after the last stage
  std::vector<ContactSums> contacts_;    ///< sums of each two partners in this stage
  std::vector<BodyParticle> particles_;  ///< particles of bodies on this rank, in the order of the step
};

}  // namespace shoal::sph
