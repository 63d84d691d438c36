// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision/relaxation.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/relaxation/relaxation_backend.hpp"
#include "core/communication/rank_group.hpp"
#include "core/device/status.hpp"
#include "core/memory/check_views.hpp"
#include "core/text.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::collision {

namespace {

/// Weight of f at the start of the step in each stage; the rest is an Euler step from the previous stage.
std::span<const double> stage_shares(RelaxationScheme scheme) {
  static constexpr double euler[] = {0}, tvd_rk2[] = {0, 1. / 2}, tvd_rk3[] = {0, 3. / 4, 1. / 3};
  if (scheme == RelaxationScheme::euler) return euler;
  if (scheme == RelaxationScheme::tvd_rk2) return tvd_rk2;
  return tvd_rk3;
}

RelaxationOptions checked(const RelaxationOptions& options) {
  require(std::isfinite(options.step) && options.step >= 0, "relaxation: a time step of ", options.step,
          " s, expected a positive one, or 0 for the longest that step_share allows.");
  require(options.step_share > 0 && options.step_share <= 1, "relaxation: step_share is ", options.step_share,
          ", expected a share of the step bound, above 0 and at most 1.");
  return options;
}

StatusBlock::Explain explain_start(std::int64_t nodes) {
  return [nodes](int kind, std::int64_t item, const double*) {
    return text("relaxation: f is ", kind == CollisionFault::negative ? "negative" : "not finite", " at node ",
                item % nodes, " of cell ", item / nodes, " at the start. Repair it.");
  };
}

}  // namespace

double RelaxationState::energy() const {
  double u2 = 0;
  for (const double u : moments.velocity) u2 += u * u;
  return moments.density * (3 * moments.temperature + u2) / 2;
}

template <class Real>
struct Relaxation<Real>::Plan {
  Queue queue;
  Collision<Real> collision;
  RelaxationOptions options;
  Communicator ranks;  ///< Ranks that share out cells
  std::shared_ptr<StatusBlock> status;
  Array<Real> f, stage, q;
  bool started = false;
  double time = 0, step = 0;
  std::int64_t steps = 0;

  Plan(Collision<Real> integral, const RelaxationOptions& relaxation_options, const Communicator& cell_ranks)
      : queue(integral.queue()),
        collision(std::move(integral)),
        options(checked(relaxation_options)),
        ranks(cell_ranks),
        status(watch_status(queue, explain_start(nodes()))),
        f(queue, 0),
        stage(queue, 0),
        q(queue, 0) {}

  std::int64_t nodes() const { return collision.grid().node_count(); }

  void start(View<const Real> initial) {
    started = false;
    agree_naming_rank(ranks, [&] { load(initial); });
    collision.set_evaluations(0);
    time = step = 0;
    steps = 0;
    started = true;
  }

  void load(View<const Real> initial) {
    const std::int64_t least = ranks.size() == 1 ? 1 : 0;
    require(initial.count >= least && initial.count % nodes() == 0, "relaxation: f has ", initial.count,
            " elements, expected a positive multiple of ", nodes(), ", the nodes of the velocity grid.");
    require_view(queue, "relaxation", "f", initial, initial.count);
    for (Array<Real>* array : {&f, &stage, &q}) array->resize(initial.count);
    backend<DistributionBackend<Real>>(queue).load(queue, initial, false, f.data(), status->device_pointer());
    queue.wait();
  }

  void require_started() const { require(started, "relaxation: there is no distribution yet. Call start() first."); }

  /// Longest step that suits the cells of all ranks.
  double longest_step() {
    double longest = std::numeric_limits<double>::max();
    agree_naming_rank(ranks, [&] {
      if (f.count() == 0) return;
      if (options.step == 0)
        longest = options.step_share * collision.step_bound(f);
      else
        collision.require_step(f, longest = options.step);
    });
    // Bits of positive doubles have the order of the doubles; their complement makes the largest word the shortest step.
    std::array<std::uint64_t, 1> word{~std::bit_cast<std::uint64_t>(longest)};
    ranks.group().all_max(word);
    return std::bit_cast<double>(~word[0]);
  }

  void advance_to(double end, const Observer& observer) {
    agree_naming_rank(ranks, [&] {
      require_started();
      require(std::isfinite(end) && end >= time, "relaxation: cannot advance to ", end, " s, the time is ", time,
              " s.");
    });
    const double start = time;
    if (end == start) return;
    constexpr double rounding = 1e-9;  // share of a step by which a given step may miss the end
    const double count = std::max(1.0, std::ceil((end - start) / longest_step() - rounding));
    for (double k = 1; k <= count; ++k) {
      take_step((end - start) / count);
      time = k == count ? end : start + k * (end - start) / count;
      if (!observer && (ranks.size() == 1 || k < count)) continue;
      agree_naming_rank(ranks, [&] { queue.wait(); });
      if (observer && !observer()) return;
    }
  }

  void take_step(double length) {
    copy(queue, f.view(), stage.view());
    for (const double share : stage_shares(options.scheme)) {
      collision.evaluate(stage, q);
      backend<RelaxationBackend<Real>>(queue).advance_stage(queue, f.data(), q.data(), share, length, f.count(),
                                                            stage.data());
    }
    f.swap(stage);
    step = length;
    ++steps;
  }

  std::vector<RelaxationState> states() {
    require_started();
    const std::vector<VelocityMoments> moments = collision.moments(f);
    const std::vector<double> entropy = collision.entropy(f);
    const std::vector<Real> host_f = to_host(queue, f);
    std::vector<RelaxationState> states;
    for (std::size_t cell = 0; cell < moments.size(); ++cell) {
      const Real* first = host_f.data() + static_cast<std::int64_t>(cell) * nodes();
      states.push_back({moments[cell], even_moments(first, moments[cell]), entropy[cell],
                        static_cast<double>(*std::min_element(first, first + nodes()))});
    }
    return states;
  }

  /// Computes the moments on the host; states are requested rarely.
  /// @param cell  [nodes³] f of the cell
  EvenMoments even_moments(const Real* cell, const VelocityMoments& moments) const {
    const Queue host = Queue::cpu();
    Scratch scratch(host);
    ScratchFrame frame(scratch);
    const EvenTerms<Real> terms{cell, {moments.velocity[0], moments.velocity[1], moments.velocity[2]}};
    const double* sums = host_even_moments(frame, host, collision.grid(), terms);
    EvenMoments even;
    double factorial = 1;  // (p + 1)!!
    for (std::size_t i = 0; i < even_moment_count; ++i) {
      factorial *= static_cast<double>(2 * i + 3);
      even[i] = sums[i] / (factorial * moments.density);
    }
    return even;
  }
};

template <class Real>
Relaxation<Real>::Relaxation(Collision<Real> collision, const RelaxationOptions& options)
    : plan_(std::make_unique<Plan>(std::move(collision), options, Communicator::alone())) {}
template <class Real>
Relaxation<Real>::Relaxation(Collision<Real> collision, const RelaxationOptions& options, const Communicator& ranks) {
  agree_naming_rank(ranks, [&] { plan_ = std::make_unique<Plan>(std::move(collision), options, ranks); });
}
template <class Real>
Relaxation<Real>::~Relaxation() = default;
template <class Real>
Relaxation<Real>::Relaxation(Relaxation&&) noexcept = default;
template <class Real>
Relaxation<Real>& Relaxation<Real>::operator=(Relaxation&&) noexcept = default;

template <class Real>
void Relaxation<Real>::start(View<const Real> f) {
  plan_->start(f);
}
template <class Real>
void Relaxation<Real>::advance_to(double time, const Observer& observer) {
  plan_->advance_to(time, observer);
}
template <class Real>
double Relaxation<Real>::time() const {
  return plan_->time;
}
template <class Real>
std::int64_t Relaxation<Real>::steps() const {
  return plan_->steps;
}
template <class Real>
double Relaxation<Real>::step() const {
  return plan_->step;
}
template <class Real>
int Relaxation<Real>::stages() const {
  return static_cast<int>(stage_shares(plan_->options.scheme).size());
}
template <class Real>
View<const Real> Relaxation<Real>::f() const {
  return plan_->f;
}
template <class Real>
std::vector<RelaxationState> Relaxation<Real>::states() {
  return plan_->states();
}
template <class Real>
Collision<Real>& Relaxation<Real>::collision() {
  return plan_->collision;
}

template class Relaxation<float>;
template class Relaxation<double>;

}  // namespace shoal::collision
