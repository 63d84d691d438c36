// SPDX-License-Identifier: Apache-2.0
// Pairs of points as a function that compiled programs of XLA call without Python, for shoal.jax.
#include <xla/ffi/api/ffi.h>
#include <shoal/neighbors/periodic.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "bindings.hpp"

namespace shoal::python {

namespace {

namespace ffi = xla::ffi;
using IntResult = ffi::Result<ffi::Buffer<ffi::S32>>;

/// Sets of points that vmap searches together, on the device of a queue. All sets have the same sizes.
template <class Real>
struct PointSets {
  const Real* position;                   ///< [sets][points][dimensions] m, on the queue's device
  std::int64_t sets, points, dimensions;  ///< numbers of sets, at least 1, of points of a set, and of axes
  std::vector<Real> cell;                 ///< [sets][cells][3][3] m; cells: 1, or one for each system
  std::vector<std::uint8_t> periodic;     ///< [sets][directions][3]; directions: 1, or one for each system
  std::vector<std::int32_t> start;        ///< [sets][systems + 1]
  std::int64_t systems;                   ///< number of systems of a set, at least 1

  Points<Real> columns(Device device) const {
    const auto column = [&](std::int64_t k) -> View<const Real> {
      if (k >= dimensions) return {nullptr, 0, device};
      return {position + k, sets * points, device, dimensions};
    };
    return {column(0), column(1), column(2)};
  }

  /// First point of each system of all sets, and the number of points.
  /// @throws Error  the systems of a set do not begin at its first point, or do not end at its last one
  std::vector<std::int64_t> all_starts() const {
    std::vector<std::int64_t> result{0};
    for (std::int64_t set = 0; set < sets; ++set) {
      const std::int32_t* const of_set = start.data() + set * (systems + 1);
      require(of_set[0] == 0 && of_set[systems] == points, "neighbors: systems start at ", of_set[0], " and end at ",
              of_set[systems], ", expected 0 and the number of points, ", points, ".");
      for (std::int64_t k = 1; k <= systems; ++k) result.push_back(set * points + of_set[k]);
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
      for (std::size_t k = 0; k < 3; ++k) result[s].periodic[k] = periodic[directions + k] != 0;
    }
    return result;
  }
};

/// Arguments of a search, in the order of the call.
struct SearchArrays {
  ffi::AnyBuffer position, cell, periodic, start;
};

/// Host copy of a buffer on the device of a queue.
template <class T>
std::vector<T> host_values(const Queue& queue, const ffi::AnyBuffer& buffer) {
  const auto count = static_cast<std::int64_t>(buffer.element_count());
  return to_host(queue, View<const T>(static_cast<const T*>(buffer.untyped_data()), count, queue.device()));
}

template <class Real>
PointSets<Real> point_sets(const Queue& queue, const SearchArrays& in) {
  const auto shape = in.position.dimensions();
  const std::int64_t points = shape[shape.size() - 2], dimensions = shape.back();
  std::int64_t sets = 1;
  for (std::size_t k = 0; k + 2 < shape.size(); ++k) sets *= shape[k];
  return {static_cast<const Real*>(in.position.untyped_data()),
          sets,
          points,
          dimensions,
          host_values<Real>(queue, in.cell),
          host_values<std::uint8_t>(queue, in.periodic),
          host_values<std::int32_t>(queue, in.start),
          in.start.dimensions().back() - 1};
}

template <class Real>
void find_pairs(const Queue& queue, const SearchArrays& in, double radius, const PeriodicNeighborsOptions& options,
                PairSets out) {
  const PointSets<Real> sets = point_sets<Real>(queue, in);
  PeriodicNeighbors<Real> plan(queue, radius, options);
  plan.find(sets.columns(queue.device()), sets.all_starts(), sets.all_cells());
  out.sets = sets.sets;
  plan.write_sets(out);
}

/// @param open_queue  () returns the queue of the search; it may throw
template <class OpenQueue>
ffi::Error search(OpenQueue open_queue, const SearchArrays& in, double radius, bool half, bool include_self,
                  std::string_view predicate, IntResult edge_index, IntResult shifts, IntResult offsets) {
  if (offsets->element_count() == 0) return ffi::Error::Success();  // no set
  try {
    const Queue queue = open_queue();
    const PeriodicNeighborsOptions options{
        .predicate = from_name<Predicate>(predicate), .include_self = include_self, .half = half};
    const auto view = [&](IntResult& result) -> View<std::int32_t> {
      return {result->typed_data(), static_cast<std::int64_t>(result->element_count()), queue.device()};
    };
    const PairSets out{.capacity = edge_index->dimensions().back(),
                       .edge_index = view(edge_index),
                       .shifts = view(shifts),
                       .offsets = view(offsets)};
    if (in.position.element_type() == ffi::F32)
      find_pairs<float>(queue, in, radius, options, out);
    else
      find_pairs<double>(queue, in, radius, options, out);
  } catch (const OutOfMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, error.what());
  } catch (const std::exception& error) {
    return ffi::Error::InvalidArgument(error.what());
  }
  return ffi::Error::Success();
}

ffi::Error search_on_cpu(ffi::AnyBuffer position, ffi::AnyBuffer cell, ffi::AnyBuffer periodic, ffi::AnyBuffer start,
                         double radius, bool half, bool include_self, std::string_view predicate, IntResult edge_index,
                         IntResult shifts, IntResult offsets) {
  return search([] { return Queue::cpu(); }, {position, cell, periodic, start}, radius, half, include_self, predicate,
                edge_index, shifts, offsets);
}

/// The search on a stream of XLA. Results are written in the order of the stream.
ffi::Error search_on_cuda(void* stream, std::int32_t device, ffi::AnyBuffer position, ffi::AnyBuffer cell,
                          ffi::AnyBuffer periodic, ffi::AnyBuffer start, double radius, bool half, bool include_self,
                          std::string_view predicate, IntResult edge_index, IntResult shifts, IntResult offsets) {
  return search([&] { return Queue::cuda(device, stream); }, {position, cell, periodic, start}, radius, half,
                include_self, predicate, edge_index, shifts, offsets);
}

/// Adds the arguments that both searches have.
auto with_arguments(auto binding) {
  return std::move(binding)
      .template Arg<ffi::AnyBuffer>()
      .template Arg<ffi::AnyBuffer>()
      .template Arg<ffi::AnyBuffer>()
      .template Arg<ffi::AnyBuffer>()
      .template Attr<double>("radius")
      .template Attr<bool>("half")
      .template Attr<bool>("include_self")
      .template Attr<std::string_view>("predicate")
      .template Ret<ffi::Buffer<ffi::S32>>()
      .template Ret<ffi::Buffer<ffi::S32>>()
      .template Ret<ffi::Buffer<ffi::S32>>();
}

XLA_FFI_DEFINE_HANDLER(pairs_on_cpu, search_on_cpu, with_arguments(ffi::Ffi::Bind()));
XLA_FFI_DEFINE_HANDLER(pairs_on_cuda, search_on_cuda,
                       with_arguments(ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void*>>().Ctx<ffi::DeviceOrdinal>()));

}  // namespace

void bind_jax_pairs(nb::module_& module) {
  module.def(
      "jax_pairs",
      [](const std::string& platform) -> std::optional<nb::capsule> {
        if (platform == "cpu") return nb::capsule(reinterpret_cast<void*>(pairs_on_cpu));
        const bool has_cuda = std::ranges::any_of(
            methods("neighbors"), [](const MethodInfo& method) { return method.device == DeviceKind::cuda; });
        if (platform == "CUDA" && has_cuda) return nb::capsule(reinterpret_cast<void*>(pairs_on_cuda));
        return std::nullopt;
      },
      "platform"_a,
      "The search of `shoal.jax.neighbor_pairs` for `jax.ffi.register_ffi_target` on \"cpu\" or \"CUDA\". None: this "
      "build has no methods for it.");
}

}  // namespace shoal::python
