// SPDX-License-Identifier: Apache-2.0
#include "neighbors/paper/paper_neighbors.hpp"

#include <algorithm>

#include "core/memory/check_views.hpp"
#include "neighbors/paper/paper_pipeline.hpp"

namespace shoal {

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
      {.name = "CPU binning + GPU linked-list search",
       .binning = cpu,
       .search = PaperSearch::linked_list,
       .pool = true,
       .in_figure = false},
  };
}

template <class Real>
struct PaperNeighbors<Real>::Plan {
  std::unique_ptr<PaperArm<Real>> arm;
  std::int64_t points = 0;  ///< of the last find()

  Plan(const Queue& queue, const PaperConfiguration& configuration, double radius) {
    require(queue.device().kind == configuration.device(), "neighbors: the configuration \"", configuration.name,
            "\" searches on ", configuration.device() == DeviceKind::cpu ? "cpu" : "cuda", ", the queue works on ",
            to_string(queue.device()), ".");
    require(configuration.device() == DeviceKind::cuda || configuration.binning == DeviceKind::cpu,
            "neighbors: the configuration \"", configuration.name, "\" bins on cuda and searches on cpu.");
#ifdef SHOAL_CUDA
    if (!queue.on_cpu()) {
      arm = cuda::make_arm<Real>(queue, configuration, radius);
      return;
    }
#endif
    arm = make_cpu_arm<Real>(radius);
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
  plan_->arm->bin(points);
}

template <class Real>
void PaperNeighbors<Real>::find(const Points<Real>& points) {
  plan_->require_host(points);
  plan_->points = 0;  // until it has worked
  plan_->arm->find(points);
  plan_->points = points.count();
}

template <class Real>
HostNeighborList PaperNeighbors<Real>::list() const {
  HostNeighborList list;
  list.offsets.push_back(0);
  for (std::int64_t i = 0; i < plan_->points; ++i) {
    const auto row = plan_->arm->row(i);
    list.indices.insert(list.indices.end(), row.begin(), row.end());
    std::sort(list.indices.begin() + list.offsets.back(), list.indices.end());
    list.offsets.push_back(static_cast<std::int64_t>(list.indices.size()));
  }
  return list;
}

template class PaperNeighbors<float>;
template class PaperNeighbors<double>;

}  // namespace shoal
