// SPDX-License-Identifier: Apache-2.0
#include "core/backends.hpp"
#include "neighbors/paper/cell_dictionary.hpp"
#include "neighbors/paper/paper_pipeline.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
class CpuPipeline : public PaperPipeline<Real> {
 public:
  explicit CpuPipeline(double radius) : grid_(Queue::cpu(1), radius) {}

  void bin(const Points<Real>& points) override {
    cubes_ = grid_.cubes(points);
    cells_.fill(cubes_, points);
  }

  void find(const Points<Real>& points) override {
    bin(points);
    row_start_.assign(static_cast<std::size_t>(points.count()) + 1, 0);
    find_rows(grid_.pairs(points), cubes_, cells_, false, indices_, row_start_.data() + 1);
  }

  std::span<const std::int32_t> row(std::int64_t i) const override {
    const std::int64_t* start = row_start_.data() + i;
    return {indices_.data() + start[0], indices_.data() + start[1]};
  }

 private:
  PaperGrid<Real> grid_;
  SearchGrid<Real> cubes_;
  CellDictionary cells_;
  std::vector<std::int64_t> row_start_;
  std::vector<std::int32_t> indices_;
};

template <class Real>
std::unique_ptr<PaperPipeline<Real>> make_pipeline(const Queue&, const PaperConfiguration&, double radius) {
  return std::make_unique<CpuPipeline<Real>>(radius);
}

std::vector<KernelResources> no_kernels() { return {}; }

}  // namespace

template <class Real>
const PaperBackend<Real> PaperBackend<Real>::cpu = {.make_pipeline = neighbors::make_pipeline<Real>,
                                                    .kernels = no_kernels};
template const PaperBackend<float> PaperBackend<float>::cpu;
template const PaperBackend<double> PaperBackend<double>::cpu;

}  // namespace shoal::neighbors
