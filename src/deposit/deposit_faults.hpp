// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_call.hpp"

namespace shoal {

/// What `Queue::wait()` says about what binning and methods found.
template <class Real>
StatusBlock::Explain explain_deposit_faults(const DepositSpace<Real>& space, const std::vector<double>& ranges);

}  // namespace shoal
