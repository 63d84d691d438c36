// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/item/deposit_item.hpp>

namespace shoal {

/// A grid on the device of a queue, in the arithmetic of `Real`, with the memory that its items point to.
template <class Real>
class DepositSpaceMemory {
 public:
  /// @throws Error  the grid makes no sense, or is too fine for `Real`
  DepositSpaceMemory(const Queue& queue, const DepositGrid& grid, const DepositOptions& options);

  const DepositSpace<Real>& space() const { return space_; }

 private:
  void stretch(const Queue& queue, const DepositGrid& grid, int axis);
  void block(const Queue& queue, const std::vector<std::uint8_t>& blocked);

  DepositSpace<Real> space_;
  Array<Real> nodes_[3];
  Array<Real> inverse_widths_[3];
  Array<std::uint8_t> blocked_;
  Array<std::uint8_t> open_corners_;
  Array<std::uint8_t> cells_around_;
};

}  // namespace shoal
