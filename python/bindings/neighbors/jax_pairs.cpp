// SPDX-License-Identifier: Apache-2.0
// Pairs of points as a function that compiled programs of XLA call without Python, for shoal.jax.
#include <xla/ffi/api/ffi.h>
#include <shoal/neighbors/periodic.hpp>

#include <algorithm>
#include <span>

#include "bindings.hpp"

namespace shoal::python {

namespace {

namespace ffi = xla::ffi;
using IntResult = ffi::Result<ffi::Buffer<ffi::S32>>;

/// Sets of points that vmap searches together, in host memory. All sets have the same sizes.
template <class Real>
struct PointSets {
  std::span<const Real> position;         ///< [sets][points][dimensions] m
  std::span<const Real> cell;             ///< [sets][cells][3][3] m; cells: 1, or one for each system
  std::span<const bool> periodic;         ///< [sets][directions][3]; directions: 1, or one for each system
  std::span<const std::int32_t> start;    ///< [sets][systems + 1]
  std::int64_t sets, points, dimensions;  ///< numbers of sets, at least 1, of points of a set, and of axes
  std::int64_t systems;                   ///< number of systems of a set, at least 1

  Points<Real> columns() const {
    const auto column = [&](std::int64_t k) -> View<const Real> {
      if (k >= dimensions) return {};
      return {position.data() + k, sets * points, {}, dimensions};
    };
    return {column(0), column(1), column(2)};
  }

  /// First point of each system of all sets, and the number of points.
  /// @throws Error  the systems of a set do not begin at its first point, or do not end at its last one
  std::vector<std::int64_t> all_starts() const {
    std::vector<std::int64_t> result{0};
    for (std::int64_t set = 0; set < sets; ++set) {
      const auto of_set = start.subspan(static_cast<std::size_t>(set * (systems + 1)));
      const std::int64_t first = of_set[0], last = of_set[static_cast<std::size_t>(systems)];
      require(first == 0 && last == points, "neighbors: systems start at ", first, " and end at ", last,
              ", expected 0 and the number of points, ", points, ".");
      for (std::int64_t k = 1; k <= systems; ++k) result.push_back(set * points + of_set[static_cast<std::size_t>(k)]);
    }
    return result;
  }

  /// Cells of the systems of all sets.
  std::vector<PeriodicCell> all_cells() const {
    std::vector<PeriodicCell> result(static_cast<std::size_t>(sets * systems));
    for (std::size_t s = 0; s < result.size(); ++s) {
      const std::size_t vectors = 9 * (s * (cell.size() / 9) / result.size());
      const std::size_t directions = 3 * (s * (periodic.size() / 3) / result.size());
      for (std::size_t k = 0; k < 9; ++k) result[s].vectors[k / 3][k % 3] = cell[vectors + k];
      for (std::size_t k = 0; k < 3; ++k) result[s].periodic[k] = periodic[directions + k];
    }
    return result;
  }
};

/// Arrays for the pairs of all sets. Entries beyond the last pair of a set become 0.
struct PairArrays {
  std::span<std::int32_t> edge_index;  ///< [sets][2][most]
  std::span<std::int32_t> shift;       ///< [sets][most][3]
  std::span<std::int32_t> offset;      ///< [sets][points + 1]
  std::int64_t most;                   ///< room for pairs of one set

  /// Takes the pairs of one set from those of all sets.
  /// @throws Error  the set has more pairs than there is room for
  template <class Real>
  void take(const PeriodicNeighbors<Real>& pairs, std::int64_t set, std::int64_t points) const {
    const std::int64_t* const offsets = pairs.offsets().data + set * points;
    const std::int64_t first = offsets[0], count = offsets[points] - first, all = pairs.pair_count();
    require(count <= most, "neighbors: ", count, " pairs, expected at most max_pairs = ", most,
            ". Use at least that number.");
    const std::int64_t first_point = set * points;
    const auto narrow = [&](std::int64_t point) { return static_cast<std::int32_t>(point - first_point); };
    for (std::int64_t end = 0; end < 2; ++end) {
      const std::int64_t* const source = pairs.edge_index().data + end * all + first;
      std::int32_t* const target = edge_index.data() + (2 * set + end) * most;
      std::fill(std::transform(source, source + count, target, narrow), target + most, 0);
    }
    const std::int32_t* const source = pairs.shifts().data + 3 * first;
    std::int32_t* const target = shift.data() + 3 * set * most;
    std::fill(std::copy(source, source + 3 * count, target), target + 3 * most, 0);
    std::transform(offsets, offsets + points + 1, offset.data() + set * (points + 1),
                   [&](std::int64_t pair) { return static_cast<std::int32_t>(pair - first); });
  }
};

template <class Real>
void find_pairs(const PointSets<Real>& in, double radius, const PeriodicNeighborsOptions& options,
                const PairArrays& out) {
  PeriodicNeighbors<Real> plan(Queue::cpu(), radius, options);
  plan.find(in.columns(), in.all_starts(), in.all_cells());
  for (std::int64_t set = 0; set < in.sets; ++set) out.take(plan, set, in.points);
}

template <class T>
std::span<const T> values_of(const ffi::AnyBuffer& buffer) {
  return {buffer.typed_data<T>(), buffer.element_count()};
}

template <class Real>
PointSets<Real> sets_of(const ffi::AnyBuffer& position, const ffi::AnyBuffer& cell, const ffi::AnyBuffer& periodic,
                        const ffi::AnyBuffer& start) {
  const auto shape = position.dimensions();
  const std::int64_t points = shape[shape.size() - 2], dimensions = shape.back();
  std::int64_t sets = 1;
  for (std::size_t k = 0; k + 2 < shape.size(); ++k) sets *= shape[k];
  return {values_of<Real>(position),
          values_of<Real>(cell),
          values_of<bool>(periodic),
          values_of<std::int32_t>(start),
          sets,
          points,
          dimensions,
          start.dimensions().back() - 1};
}

ffi::Error find_on_cpu(ffi::AnyBuffer position, ffi::AnyBuffer cell, ffi::AnyBuffer periodic, ffi::AnyBuffer start,
                       double radius, bool half, bool include_self, std::string_view predicate, IntResult edge_index,
                       IntResult shift, IntResult offset) {
  const auto values = [](IntResult& result) -> std::span<std::int32_t> {
    return {result->typed_data(), result->element_count()};
  };
  const PairArrays out{values(edge_index), values(shift), values(offset), edge_index->dimensions().back()};
  if (out.offset.empty()) return ffi::Error::Success();  // no set
  try {
    const PeriodicNeighborsOptions options{
        .predicate = from_name<Predicate>(predicate), .include_self = include_self, .half = half};
    if (position.element_type() == ffi::F32)
      find_pairs(sets_of<float>(position, cell, periodic, start), radius, options, out);
    else
      find_pairs(sets_of<double>(position, cell, periodic, start), radius, options, out);
  } catch (const OutOfMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, error.what());
  } catch (const std::exception& error) {
    return ffi::Error::InvalidArgument(error.what());
  }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER(pairs_on_cpu, find_on_cpu,
                       ffi::Ffi::Bind()
                           .Arg<ffi::AnyBuffer>()
                           .Arg<ffi::AnyBuffer>()
                           .Arg<ffi::AnyBuffer>()
                           .Arg<ffi::AnyBuffer>()
                           .Attr<double>("radius")
                           .Attr<bool>("half")
                           .Attr<bool>("include_self")
                           .Attr<std::string_view>("predicate")
                           .Ret<ffi::Buffer<ffi::S32>>()
                           .Ret<ffi::Buffer<ffi::S32>>()
                           .Ret<ffi::Buffer<ffi::S32>>());

}  // namespace

void bind_jax_pairs(nb::module_& module) {
  module.def(
      "jax_pairs", [] { return nb::capsule(reinterpret_cast<void*>(pairs_on_cpu)); },
      "The search of `shoal.jax.neighbor_pairs` on the CPU, for `jax.ffi.register_ffi_target`.");
}

}  // namespace shoal::python
