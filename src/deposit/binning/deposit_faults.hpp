// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/range.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Messages of `Queue::wait()` about the faults that binning and methods record.
/// @param grid    the grid of all ranks
/// @param layers  of this rank
template <class Real>
StatusBlock::Explain fault_message(const DepositSpace<Real>& grid, Range layers, const std::vector<double>& ranges);

}  // namespace shoal::deposit
