// SPDX-License-Identifier: Apache-2.0
#include "neighbors/paper/paper_neighbors.hpp"

#include <algorithm>

#include "core/backends.hpp"
#include "core/memory/check_views.hpp"
#include "neighbors/paper/paper_pipeline.hpp"

namespace shoal::neighbors {

std::vector<PaperConfiguration> paper_configurations() {
  constexpr auto cpu = DeviceKind::cpu;
  constexpr auto gpu = DeviceKind::cuda;
  constexpr auto simple = PaperSearch::simple;
  return {
      {.name = "CPU binning + CPU search"},
      {.name = "CPU binning + GPU search", .binning = cpu, .search = simple},
      {.name = "CPU binning + GPU search + pool", .binning = cpu, .search = simple, .pool = true},
      {.name = "CPU binning + GPU search + pool + page-locked",
       .binning = cpu,
       .search = simple,
       .pool = true,
       .page_locked = true},
      {.name = "GPU binning + GPU search", .binning = gpu, .search = simple, .pool = true},
      {.name = "GPU binning + GPU search + page-locked",
       .binning = gpu,
       .search = simple,
       .pool = true,
       .page_locked = true,
       .in_figure = false},
      {.name = "GPU binning + GPU search + page-locked points and neighbors",
       .binning = gpu,
       .search = simple,
       .pool = true,
       .page_locked = true,
       .page_locked_points = true,
       .in_figure = false},
      {.name = "CPU binning + GPU linked-list search",
       .binning = cpu,
       .search = PaperSearch::linked_list,
       .pool = true,
       .in_figure = false},
  };
}

template <class Real>
std::vector<KernelResources> paper_kernels(const Queue& queue) {
  return backend<PaperBackend<Real>>(queue).kernels();
}

template <class Real>
struct PaperNeighbors<Real>::Plan {
  std::unique_ptr<PaperPipeline<Real>> pipeline;
  std::int64_t points = 0;  ///< Number of points of the last find().

  Plan(const Queue& queue, const PaperConfiguration& configuration, double radius) {
    require(queue.device().kind == configuration.device(), "neighbors: the configuration \"", configuration.name,
            "\" searches on ", configuration.device() == DeviceKind::cpu ? "cpu" : "cuda", ", the queue works on ",
            to_string(queue.device()), ".");
    require(configuration.device() == DeviceKind::cuda || configuration.binning == DeviceKind::cpu,
            "neighbors: the configuration \"", configuration.name, "\" bins on cuda and searches on cpu.");
    pipeline = backend<PaperBackend<Real>>(queue).make_pipeline(queue, configuration, radius);
  }

  static void require_host(const Points<Real>& points) {
    require_points(Queue::cpu(1), "neighbors", points, 3);
    require(points.x.contiguous() && points.y.contiguous() && points.z.contiguous(),
            "neighbors: a view is strided, expected contiguous ones.");
  }
};

template <class Real>
PaperNeighbors<Real>::PaperNeighbors(const Queue& queue, const PaperConfiguration& configuration, double radius)
    : plan_(std::make_unique<Plan>(queue, configuration, radius)) {}
template <class Real>
PaperNeighbors<Real>::~PaperNeighbors() = default;
template <class Real>
PaperNeighbors<Real>::PaperNeighbors(PaperNeighbors&&) noexcept = default;
template <class Real>
PaperNeighbors<Real>& PaperNeighbors<Real>::operator=(PaperNeighbors&&) noexcept = default;

template <class Real>
void PaperNeighbors<Real>::bin(const Points<Real>& points) {
  plan_->require_host(points);
  plan_->pipeline->bin(points);
}

template <class Real>
void PaperNeighbors<Real>::find(const Points<Real>& points) {
  plan_->require_host(points);
  plan_->points = 0;  // no list while the search may fail
  plan_->pipeline->find(points);
  plan_->points = points.count();
}

template <class Real>
PaperList PaperNeighbors<Real>::list() const {
  PaperList list;
  list.offsets.push_back(0);
  for (std::int64_t i = 0; i < plan_->points; ++i) {
    const auto row = plan_->pipeline->row(i);
    list.indices.insert(list.indices.end(), row.begin(), row.end());
    std::sort(list.indices.begin() + list.offsets.back(), list.indices.end());
    list.offsets.push_back(static_cast<std::int64_t>(list.indices.size()));
  }
  return list;
}

template std::vector<KernelResources> paper_kernels<float>(const Queue&);
template std::vector<KernelResources> paper_kernels<double>(const Queue&);
template class PaperNeighbors<float>;
template class PaperNeighbors<double>;

}  // namespace shoal::neighbors
