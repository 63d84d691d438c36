// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/memory/pinned_array.hpp"
#include "neighbors/paper/call_memory.cuh"
#include "neighbors/paper/paper_pipeline.hpp"
#include "neighbors/paper/paper_search.cuh"

namespace shoal::neighbors {

namespace {

template <class Real>
class GpuPipeline : public PaperPipeline<Real> {
 public:
  GpuPipeline(const Queue& queue, const PaperConfiguration& configuration, double radius)
      : configuration_(configuration),
        scratch_(queue),
        grid_(configuration.binning == DeviceKind::cpu ? Queue::cpu(1) : queue, radius),
        page_locked_(queue),
        page_locked_points_(queue) {}

  void bin(const Points<Real>& points) override {
    if (configuration_.binning == DeviceKind::cpu) {
      cells_.fill(grid_.cubes(points), points);
      return;
    }
    CallMemory memory(scratch_, configuration_.pool);
    bin_on_device(memory, points);
    queue().wait();
  }

  void find(const Points<Real>& points) override {
    CallMemory memory(scratch_, configuration_.pool);
    const auto [problem, cells] =
        configuration_.binning == DeviceKind::cpu ? bin_on_cpu(memory, points) : bin_on_device(memory, points);
    const std::int64_t n = points.count();
    width_ = std::max(width_, std::min(2 * cells.width, n));
    const auto table_of_width = [&](std::int64_t width) { return make_table(memory, n, width); };
    const NeighborTable table = find_table(memory, configuration_.search, problem, cells, width_, table_of_width);
    width_ = table.width;
    store_on_host(table, n);
  }

  std::span<const std::int32_t> row(std::int64_t i) const override {
    return {table_.sources + i * table_.width, static_cast<std::size_t>(table_.length[i])};
  }

  PaperMemory memory() const override { return {scratch_.bytes(), x_, table_.length}; }

 private:
  /// Problem and binned points on the device.
  struct BinnedProblem {
    PaperProblem<Real> problem;
    CellTable cells;
  };

  const Queue& queue() const { return scratch_.queue(); }

  Points<Real> upload(CallMemory& memory, const Points<Real>& points) const {
    const auto copied = [&](View<const Real> axis) {
      auto* copy = memory.array<Real>("the coordinates", {axis.count});
      copy_bytes(queue(), copy, queue().device(), axis.data, {}, static_cast<std::size_t>(axis.count) * sizeof(Real));
      return View<const Real>(copy, axis.count, queue().device());
    };
    return {copied(points.x), copied(points.y), copied(points.z)};
  }

  /// Copies coordinates to page-locked memory, which kernels read at the same address.
  Points<Real> lock(const Points<Real>& points) {
    const std::int64_t n = points.count();
    page_locked_points_.resize(3 * n);
    Real* memory = page_locked_points_.data();
    const auto copied = [&](View<const Real> axis) {
      Real* const copy = std::exchange(memory, memory + n);
      std::copy_n(axis.data, n, copy);
      return View<const Real>(copy, n, queue().device());
    };
    return {copied(points.x), copied(points.y), copied(points.z)};
  }

  /// Returns the coordinates where kernels read them.
  Points<Real> place(CallMemory& memory, const Points<Real>& points) {
    const Points<Real> placed = configuration_.page_locked_points ? lock(points) : upload(memory, points);
    x_ = placed.x.data;
    return placed;
  }

  BinnedProblem bin_on_cpu(CallMemory& memory, const Points<Real>& points) {
    const SearchGrid<Real> cubes = grid_.cubes(points);
    cells_.fill(cubes, points);
    const CellTable cells = to_device(memory, cells_.dense(cubes.cells.cell_count()));
    return {{cubes, grid_.pairs(place(memory, points)), false}, cells};
  }

  BinnedProblem bin_on_device(CallMemory& memory, const Points<Real>& points) {
    const Points<Real> on_device = place(memory, points);
    const SearchGrid<Real> cubes = grid_.cubes(on_device);
    const PaperProblem<Real> problem{cubes, grid_.pairs(on_device), false};
    return {problem, bin_points(memory, problem)};
  }

  NeighborTable make_table(CallMemory& memory, std::int64_t n, std::int64_t width) {
    if (!configuration_.page_locked)
      return {memory.array<std::int32_t>("the table of points x neighbors", {n, width + 1}), n, width};
    page_locked_.resize(NeighborTable::entries(n, width));
    return {page_locked_.data(), n, width};  // the device uses the same address
  }

  /// Copies the table to the host unless it is there, and waits.
  void store_on_host(const NeighborTable& table, std::int64_t n) {
    const std::int64_t entries = NeighborTable::entries(n, table.width);
    if (!configuration_.page_locked) {
      copied_ = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(entries));
      copy_bytes(queue(), copied_.get(), {}, table.length, queue().device(),
                 static_cast<std::size_t>(entries) * sizeof(std::int32_t));
    }
    queue().wait();
    const std::int32_t* memory = configuration_.page_locked ? page_locked_.data() : copied_.get();
    table_ = {memory, memory + n, table.width};
  }

  /// Table on the host.
  struct HostTable {
    const std::int32_t* length = nullptr;   ///< [points]
    const std::int32_t* sources = nullptr;  ///< [points · width]
    std::int64_t width = 0;
  };

  PaperConfiguration configuration_;
  Scratch scratch_;
  PaperGrid<Real> grid_;
  CellDictionary cells_;
  PinnedArray<std::int32_t> page_locked_;
  PinnedArray<Real> page_locked_points_;  ///< [3 · points]
  std::unique_ptr<std::int32_t[]> copied_;
  HostTable table_;
  const Real* x_ = nullptr;
  std::int64_t width_ = 0;  ///< Columns of the table; the number only grows.
};

template <class Real>
std::unique_ptr<PaperPipeline<Real>> make_pipeline(const Queue& queue, const PaperConfiguration& configuration,
                                                   double radius) {
  return std::make_unique<GpuPipeline<Real>>(queue, configuration, radius);
}

template <class Real>
std::vector<KernelResources> kernels() {
  std::vector<KernelResources> resources = linked_list_kernels<Real>();
  for (const auto& more : {simple_kernels<Real>(), binning_kernels<Real>()})
    resources.insert(resources.end(), more.begin(), more.end());
  return resources;
}

}  // namespace

template <class Real>
const PaperBackend<Real> PaperBackend<Real>::cuda = {.make_pipeline = neighbors::make_pipeline<Real>,
                                                     .kernels = neighbors::kernels<Real>};
template const PaperBackend<float> PaperBackend<float>::cuda;
template const PaperBackend<double> PaperBackend<double>::cuda;

}  // namespace shoal::neighbors
