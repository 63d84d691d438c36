// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/item/deposit_item.hpp>
#include <shoal/item/host_device.hpp>

#include <cstdint>
#include <span>

#include "core/device/status.hpp"
#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"
#include "core/range.hpp"
#include "deposit/sums/sum_tree.hpp"

namespace shoal::deposit {

/// Several arrays, as kernels take them; at(k, i) is element i of array k.
template <class T>
struct Fields {
  static constexpr int max_count = 16;  ///< Deposit::most_values

  T* data[max_count] = {};
  std::int64_t stride[max_count] = {};
  int count = 0;

  SHOAL_HD T& at(int k, std::int64_t i) const { return data[k][i * stride[k]]; }
};

/// Uninitialized arrays of equal length.
template <class T>
Fields<T> make_fields(ScratchFrame& frame, int count, std::int64_t length) {
  Fields<T> fields;
  for (; fields.count < count; ++fields.count) {
    fields.data[fields.count] = frame.array<T>(length).data;
    fields.stride[fields.count] = 1;
  }
  return fields;
}

/// Cells with more than `sum_chunk` particles. bin() lists them once, so that transfers need not search for them.
struct FullCells {
  static constexpr int counts = 2;  ///< count and most, one behind the other

  /// Greatest number of these cells. Particles out of order, a fault, may count as more; these are not listed.
  SHOAL_HD static std::int64_t most_cells(std::int64_t particles) { return particles / sum_chunk + 1; }

  std::uint32_t* cell = nullptr;   ///< [*count], in any order
  std::uint32_t* count = nullptr;  ///< number of these cells
  std::uint32_t* most = nullptr;   ///< greatest number of particles of any cell
};

/// Particles in the order of their cells. Particles from cell_start[cells] on were skipped: they have no cell.
template <class Real>
struct BinnedParticles {
  static constexpr int read_past_end = 8;  ///< Number of further offsets that vector loops may read

  const std::int64_t* cell_start = nullptr;  ///< [cells + 2]
  const std::int32_t* order = nullptr;       ///< [n] number of each particle; null: values are in the order of cells
  const std::uint32_t* cell = nullptr;       ///< [n] cell of each particle; cell_count() if it was skipped
  const Real* offset[3] = {};                ///< [n] each: offset in the cell, in [0, 1]; null along z in 2-D
  std::int64_t count = 0;
  FullCells full;  ///< null on the CPU

  /// Range of a cell's particles.
  SHOAL_HD Range of_cell(std::int64_t c) const { return {cell_start[c], cell_start[c + 1]}; }

  /// Index into the value arrays of the k-th particle.
  SHOAL_HD std::int64_t number(std::int64_t k) const { return order != nullptr ? order[k] : k; }

  /// Weights of the k-th particle, which is in cell `cell_of_k`.
  SHOAL_HD CornerWeights<Real> weights(const DepositSpace<Real>& space, std::int64_t cell_of_k, std::int64_t k) const {
    CornerWeights<Real> result = open_weights(k);
    space.mask(result, cell_of_k);
    return result;
  }
  /// Weights of the k-th particle as if no cell were blocked.
  SHOAL_HD CornerWeights<Real> open_weights(std::int64_t k) const {
    const Real offset_of_k[3] = {offset[0][k], offset[1][k], offset[2] != nullptr ? offset[2][k] : Real(0)};
    return corner_weights(offset_of_k);
  }
};

/// Kinds of faults. Kinds 0 to 2 are the axes on which a particle is outside the grid.
struct DepositFault {
  static constexpr int blocked_cell = 3;
  static constexpr int no_open_node = 4;
  static constexpr int out_of_order = 5;
  static constexpr int outside_slab = 6;  ///< the last fault of bin()
  static constexpr int no_open_cell = 7;
  static constexpr int not_finite = 16;    ///< + number of the value; the item is the particle
  static constexpr int out_of_range = 32;  ///< + number of the value
};

class SharedNodes;

/// Input and output of a method of `deposit`. A method writes every node of every array, 0 where no particle is near.
/// `space`, `particles`, `values` and `nodes` are plain data for kernels; all memory is on the queue's device.
///
/// A canonical method gives the bits of deposit/sums/sum_tree.hpp, in whatever order it computes them.
template <class Real>
struct DepositCall {
  Scratch& scratch;
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> values;              ///< [n] each, by the particles' numbers
  Fields<Real> nodes;                     ///< [space.node_count()] each; as many arrays as values
  std::span<const double> ranges;         ///< empty, or at least one per value
  Status* status = nullptr;               ///< records DepositFault::not_finite and out_of_range
  SharedNodes* shared = nullptr;          ///< nodes that several ranks have; null: none
  Range measured = {0, particles.count};  ///< particles whose values this rank measures; others also measure the rest
  DepositShape shape = DepositShape::cic;

  const Queue& queue() const { return scratch.queue(); }
  int value_count() const { return values.count; }
};

struct DepositMethod : MethodEntry {
  bool canonical;  ///< true: gives the bits of deposit/sums/sum_tree.hpp
  void (*run_float)(const DepositCall<float>&);
  void (*run_double)(const DepositCall<double>&);
  bool adds_shared_nodes = false;  ///< true: run() itself adds what ranks have at shared nodes, and may record faults
  void (*run_shape_float)(const DepositCall<float>&) = nullptr;  ///< the shapes other than `cic`; null: none
  void (*run_shape_double)(const DepositCall<double>&) = nullptr;

  bool has_shapes() const { return run_shape_float != nullptr; }
  void run(const DepositCall<float>& call) const {
    (call.shape == DepositShape::cic ? run_float : run_shape_float)(call);
  }
  void run(const DepositCall<double>& call) const {
    (call.shape == DepositShape::cic ? run_double : run_shape_double)(call);
  }
};

/// Methods of `deposit` in this build, in order of preference for each device.
std::span<const DepositMethod> deposit_method_table();
std::vector<MethodInfo> deposit_methods();

}  // namespace shoal::deposit
