// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include "gas/stepping/cpu/host_stepper.hpp"

namespace shoal::gas {

template <class Real>
std::vector<double> HostStepper<Real>::changes() {
  std::vector<double> changes(static_cast<std::size_t>(own_cells_));
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t own_cell = 0; own_cell < own_cells_; ++own_cell) {
    const std::int64_t cell = setup_.own_begin() + own_cell;
    double sums[most_nodes] = {};  // of the nodes of equal v_x
    for (std::int64_t row = 0; row < rows_; ++row) {
      double change[most_nodes];
      for (int x = 0; x < n_; ++x) change[x] = static_cast<double>(q_.data()[cell * nodes_ + row * n_ + x]);
      for (const CellLines& along : setup_.lines) {
        const double width = along.shape(cell).width, *speed = speeds(along, row);
        visit_faces(along, f_.data(), cell, row, [&](int x, std::int64_t, Real arriving, Real leaving) {
          change[x] += speed[x] / width * static_cast<double>(arriving - leaving);
        });
      }
      for (int x = 0; x < n_; ++x) sums[x] += std::abs(change[x]);
    }
    changes[static_cast<std::size_t>(own_cell)] = std::accumulate(sums, sums + n_, 0.0) * setup_.nodes.volume();
  }
  return changes;
}

template <class Real>
std::vector<double> HostStepper<Real>::cell_products(const Real* weights, const Real* x,
                                                     const std::vector<const Real*>& ys) {
  std::vector<double> products(static_cast<std::size_t>(own_cells_) * ys.size());
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < own_cells_; ++cell)
    for (std::size_t k = 0; k < ys.size(); ++k) {
      double sum = 0;
      const std::int64_t first = cell * nodes_;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t i = first; i < first + nodes_; ++i)
        sum += static_cast<double>(weights[i - first]) * static_cast<double>(x[i]) * static_cast<double>(ys[k][i]);
      products[static_cast<std::size_t>(cell) * ys.size() + k] = sum;
    }
  return products;
}

template <class Real>
CellSums HostStepper<Real>::cell_sums(const Real* f) const {
  CellSums sums;
  for (int z = 0; z < n_; ++z)
    for (int y = 0; y < n_; ++y) {
      const Real* row = f + (static_cast<std::int64_t>(z) * n_ + y) * n_;
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
      for (int x = 0; x < n_; ++x) {
        const double w = offset(x), value = static_cast<double>(row[x]), first = w * value, second = w * first;
        s0 += value;
        s1 += first;
        s2 += second;
        s3 += w * second;
      }
      CellSums::add({{s0, s1, s2, s3}}, offset(y), offset(z), sums.value);
    }
  return sums;
}

template <class Real>
std::vector<VelocityMoments> HostStepper<Real>::moments_at(const Real* f, const std::function<void()>& beside) {
  beside();
  std::vector<VelocityMoments> moments(static_cast<std::size_t>(own_cells_));
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t cell = 0; cell < own_cells_; ++cell)
    moments[static_cast<std::size_t>(cell)] = moments_from_sums(setup_.nodes, cell_sums(f + cell * nodes_));
  return moments;
}

template <class Real>
void HostStepper<Real>::record_fluxes() {
  const std::size_t start = recorded_.size();
  recorded_.resize(start + setup_.boundary_faces.size());
  for (const CellLines& along : setup_.lines) {
    const std::size_t first = start + static_cast<std::size_t>(along.first_boundary_face);
#pragma omp parallel for num_threads(queue_.threads())
    for (std::int64_t face = 0; face < 2 * along.count; ++face) {
      const Real* values = ends_.data() + (along.first_boundary_face + face) * nodes_;
      FluxSums sums;
      for (std::int64_t row = 0; row < rows_; ++row) {
        double flux = 0, flux_x = 0, flux_xx = 0;
        for (int x = 0; x < n_; ++x) {
          const double v = setup_.nodes.velocity(0, x);
          const double normal = along.axis == 0 ? v : setup_.nodes.velocity(1, row_y(row));
          const double term = normal * static_cast<double>(values[row * n_ + x]);
          flux += term, flux_x += v * term, flux_xx += v * v * term;
        }
        FluxSums::add(flux, flux_x, flux_xx, setup_.nodes.velocity(1, row_y(row)), setup_.nodes.velocity(2, row_z(row)),
                      sums.value);
      }
      recorded_[first + static_cast<std::size_t>(face)] = flux_from_sums(setup_.nodes, sums.value);
    }
  }
}

template std::vector<double> HostStepper<float>::changes();
template std::vector<VelocityMoments> HostStepper<float>::moments_at(const float*, const std::function<void()>&);
template void HostStepper<float>::record_fluxes();
template std::vector<double> HostStepper<float>::cell_products(const float*, const float*,
                                                               const std::vector<const float*>&);
template std::vector<double> HostStepper<double>::changes();
template std::vector<VelocityMoments> HostStepper<double>::moments_at(const double*, const std::function<void()>&);
template void HostStepper<double>::record_fluxes();
template std::vector<double> HostStepper<double>::cell_products(const double*, const double*,
                                                                const std::vector<const double*>&);

}  // namespace shoal::gas
