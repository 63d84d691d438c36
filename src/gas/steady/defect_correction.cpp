// SPDX-License-Identifier: Apache-2.0
#include "gas/steady/defect_correction.hpp"

namespace shoal::gas {

template <class Real>
DefectCorrection<Real>::DefectCorrection(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper,
                                         SteadyContinuation cheaper, int sweeps)
    : stepper_(stepper), sweeps_(sweeps), start_(stepper.new_array()), defect_(stepper.new_array()) {
  setup.ranks.agree([&] { cheaper_ = std::make_unique<ContinuationTerm<Real>>(queue, setup, cheaper); });
}

template <class Real>
void DefectCorrection<Real>::iterate(const std::function<void()>& keep_mass) {
  stepper_.copy_nodes(stepper_.f(), start_);
  stepper_.begin_correction(cheaper_->term(), defect_);
  for (int k = 0; k < sweeps_; ++k) {
    stepper_.sweep();
    keep_mass();
    stepper_.raise_to(start_);
  }
  stepper_.end_correction();
}

template class DefectCorrection<float>;
template class DefectCorrection<double>;

}  // namespace shoal::gas
