// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/item/deposit_item.hpp>

#include <cstdint>
#include <span>

#include <shoal/item/host_device.hpp>
#include "core/device/status.hpp"
#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"
#include "core/range.hpp"

namespace shoal {

/// Several arrays, as kernels take them: element i of array k.
template <class T>
struct Fields {
  static constexpr int most = 16;  ///< Deposit::most_values

  T* data[most] = {};
  std::int64_t stride[most] = {};
  int count = 0;

  SHOAL_HD T& at(int k, std::int64_t i) const { return data[k][i * stride[k]]; }
};

/// Particles in the order of their cells. Those from cell_start[cells] on have no cell: they were skipped.
template <class Real>
struct BinnedParticles {
  static constexpr int read_past_end = 8;  ///< offsets have room for so many more, so that loops may take several

  const std::int64_t* cell_start = nullptr;  ///< [cells + 2]
  const std::int32_t* order = nullptr;       ///< [n], null: values are in the order of cells
  const std::uint32_t* cell = nullptr;       ///< [n] the cell of each; cell_count() for those without
  const Real* offset[3] = {};                ///< [n] each: place in the cell; null along z in 2-D
  std::int64_t count = 0;

  /// The positions of a cell's particles.
  SHOAL_HD Range of_cell(std::int64_t c) const { return {cell_start[c], cell_start[c + 1]}; }

  /// Where the values of the particle at position k are.
  SHOAL_HD std::int64_t number(std::int64_t k) const { return order != nullptr ? order[k] : k; }

  /// The weights of the particle at position k, whose cell the caller knows.
  SHOAL_HD CornerWeights<Real> weights(const DepositSpace<Real>& space, std::int64_t its_cell, std::int64_t k) const {
    CornerWeights<Real> all = open_weights(k);
    space.mask(all, its_cell);
    return all;
  }
  /// The same as if no cell were blocked.
  SHOAL_HD CornerWeights<Real> open_weights(std::int64_t k) const {
    const Real at[3] = {offset[0][k], offset[1][k], offset[2] != nullptr ? offset[2][k] : Real(0)};
    return corner_weights(at);
  }
};

/// What is wrong with an item; kinds 0 to 2 are axes on which a particle is outside.
struct DepositFault {
  static constexpr int blocked_cell = 3;
  static constexpr int no_open_node = 4;
  static constexpr int out_of_order = 5;
  static constexpr int not_finite = 16;    ///< + number of the value; the item is the particle
  static constexpr int out_of_range = 32;  ///< + number of the value; Status::value[0] is the sum of sizes
};

/// What a method of `deposit` is given. It writes every node of every array, 0 where no particle is near. `space`,
/// `particles`, `values` and `nodes` are plain data for kernels; all memory is on the queue's device.
///
/// A method may do it in two stages: the sums of each cell's corners into scratch, then the sums of each node; the row
/// of a method that promises the canonical sum (deposit/sum_tree.hpp) does so bit for bit, however it likes.
template <class Real>
struct DepositCall {
  Scratch& scratch;
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> values;       ///< [n] each, by number of the particle
  Fields<Real> nodes;              ///< [space.node_count()] each, as many as values
  std::span<const double> ranges;  ///< empty, or at least one a value
  Status* status = nullptr;        ///< for DepositFault::not_finite and out_of_range

  const Queue& queue() const { return scratch.queue(); }
  int value_count() const { return values.count; }
};

struct DepositMethod : MethodEntry {
  bool canonical;  ///< gives the bits of deposit/sum_tree.hpp
  void (*run_float)(const DepositCall<float>&);
  void (*run_double)(const DepositCall<double>&);

  void run(const DepositCall<float>& call) const { run_float(call); }
  void run(const DepositCall<double>& call) const { run_double(call); }
};

/// The table, best first for each device.
std::span<const DepositMethod> deposit_rows();
std::vector<MethodInfo> deposit_methods();

}  // namespace shoal
