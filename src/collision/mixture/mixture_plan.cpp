// SPDX-License-Identifier: Apache-2.0
#include "collision/mixture/mixture_plan.hpp"

namespace shoal::collision {

template <class Real>
MixturePlan<Real>::MixturePlan(MixtureSetup setup, const CollisionMethod& method, Scratch& scratch)
    : setup_(std::move(setup)), scratch_(scratch), shares_{{setup_.shares[0], setup_.shares[1]}} {
  const OperatorFactory& factory = method.factory(CollisionApproach::spectral);
  for (std::size_t gas = 0; gas < 2; ++gas) like_[gas] = factory.make<Real>(setup_.like[gas], scratch);
  cross_ = method.cross.make<Real>(setup_, scratch);
}

template <class Real>
void MixturePlan<Real>::evaluate(const Real* f, Real* q, std::int64_t cells) {
  const std::int64_t nodes = setup_.unlike.grid.node_count(), second = cells * nodes;
  like_[0]->evaluate_cells(f, q, cells, nodes);
  like_[1]->evaluate_cells(f + second, q + second, cells, nodes);
  cross_->add_cells({f, f + second}, {q, q + second}, cells, nodes);
}

template <class Real>
void MixturePlan<Real>::evaluate_frequency(const Real* f, Real* frequency, std::int64_t cells) {
  if (!frequencies_)
    frequencies_ = std::make_unique<Frequencies>(
        Frequencies{{make_frequency<Real>(setup_.like[0], scratch_), make_frequency<Real>(setup_.like[1], scratch_)},
                    make_frequency<Real>(setup_.unlike, scratch_)});
  const std::int64_t count = cells * setup_.unlike.grid.node_count();
  ScratchFrame frame(scratch_);
  Real* between = frame.array<Real>(count).data;
  for (std::size_t gas = 0; gas < 2; ++gas) {
    Real* sum = frequency + static_cast<std::int64_t>(gas) * count;
    frequencies_->like[gas]->evaluate(f + static_cast<std::int64_t>(gas) * count, cells, sum);
    frequencies_->unlike->evaluate(f + static_cast<std::int64_t>(1 - gas) * count, cells, between);
    backend<DistributionBackend<Real>>(scratch_.queue()).add(scratch_.queue(), between, count, sum);
  }
}

template class MixturePlan<float>;
template class MixturePlan<double>;

}  // namespace shoal::collision
