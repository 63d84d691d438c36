// SPDX-License-Identifier: Apache-2.0
#include "neighbors/paper/cell_dictionary.hpp"
#include "neighbors/paper/paper_pipeline.hpp"

namespace shoal {

namespace {

template <class Real>
class CpuArm : public PaperArm<Real> {
 public:
  explicit CpuArm(double radius) : grid_(Queue::cpu(1), radius) {}

  void bin(const Points<Real>& points) override {
    cubes_ = grid_.cubes(points);
    cells_.fill(cubes_, points);
  }

  void find(const Points<Real>& points) override {
    bin(points);
    row_start_.assign(static_cast<std::size_t>(points.count()) + 1, 0);
    find_rows(grid_.pairs(points), cubes_, cells_, false, found_, row_start_.data() + 1);
  }

  std::span<const std::int32_t> row(std::int64_t i) const override {
    const std::int64_t* start = row_start_.data() + i;
    return {found_.data() + start[0], found_.data() + start[1]};
  }

 private:
  PaperGrid<Real> grid_;
  SearchGrid<Real> cubes_;
  CellDictionary cells_;
  std::vector<std::int64_t> row_start_;
  std::vector<std::int32_t> found_;
};

}  // namespace

template <class Real>
std::unique_ptr<PaperArm<Real>> make_cpu_arm(double radius) {
  return std::make_unique<CpuArm<Real>>(radius);
}

template std::unique_ptr<PaperArm<float>> make_cpu_arm(double);
template std::unique_ptr<PaperArm<double>> make_cpu_arm(double);

}  // namespace shoal
