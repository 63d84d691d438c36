// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/item/deposit_item.hpp>

namespace shoal::deposit {

/// A grid in the arithmetic of `Real` on the device of a queue: the memory that DepositSpace points to.
template <class Real>
class DeviceGrid {
 public:
  /// @throws Error  the grid is invalid, or is too fine for `Real`
  DeviceGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options);

  const DepositSpace<Real>& space() const { return space_; }

 private:
  void stretch(const Queue& queue, const DepositGrid& grid, int axis);
  void block(const Queue& queue, const std::vector<std::uint8_t>& blocked);

  DepositSpace<Real> space_;
  Array<Real> nodes_[3];
  Array<Real> inverse_widths_[3];
  Array<std::uint8_t> blocked_;
  Array<std::uint8_t> open_corners_;
};

}  // namespace shoal::deposit
