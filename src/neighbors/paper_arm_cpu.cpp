// SPDX-License-Identifier: Apache-2.0
#include "neighbors/cell_dictionary.hpp"
#include "neighbors/paper_arm.hpp"

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
    const UnsortedPairs<Real> pairs = grid_.pairs(points);
    found_.clear();
    row_start_.assign(1, 0);
    for (std::int64_t i = 0; i < points.count(); ++i) {
      append_neighbors<false>(pairs, cubes_, cells_, i, found_);
      row_start_.push_back(found_.size());
    }
  }

  std::span<const std::int32_t> row(std::int64_t i) const override {
    const auto k = static_cast<std::size_t>(i);
    return {found_.data() + row_start_[k], row_start_[k + 1] - row_start_[k]};
  }

 private:
  PaperGrid<Real> grid_;
  SearchGrid<Real> cubes_;
  CellDictionary cells_;
  std::vector<std::size_t> row_start_;
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
