// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Messages of `Queue::wait()` about the faults that binning and methods record.
template <class Real>
StatusBlock::Explain fault_message(const DepositSpace<Real>& space, const std::vector<double>& ranges);

}  // namespace shoal::deposit
