// SPDX-License-Identifier: Apache-2.0
#include "gas/steady/anderson.hpp"

#include <cmath>

#include "collision/distribution/positive_definite_item.hpp"

namespace shoal::gas {

namespace {

/// Weights of the nodes.
template <class Real>
std::vector<Real> node_weights(const NodeVelocities& nodes, double half_width, double power) {
  constexpr double thermal_speeds = 5, floor = 1e-12;  // of the half width; of M
  const double thermal = half_width / thermal_speeds;
  std::vector<double> exponents;
  for (int i = 0; i < nodes.n; ++i) {
    const double c = (nodes.velocity(0, i) - nodes.center[0]) / thermal;
    exponents.push_back(c * c / 2);
  }
  std::vector<Real> weights;
  for (const double z : exponents)
    for (const double y : exponents)
      for (const double x : exponents)
        weights.push_back(static_cast<Real>(std::pow(std::exp(-x - y - z) + floor, power)));
  return weights;
}

}  // namespace

template <class Real>
AndersonAcceleration<Real>::AndersonAcceleration(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper,
                                                 int depth)
    : stepper_(stepper), products_(static_cast<std::size_t>(depth) * static_cast<std::size_t>(depth)) {
  if (depth == 0) return;
  const double power = setup.options.model == GasModel::boltzmann ? -0.25 : -1;
  weights_ = to_device(queue, node_weights<Real>(setup.nodes, setup.velocities.half_width, power));
  queue.wait();
  for (Array<Real>* array : {&before_, &change_, &last_change_, &last_result_}) *array = stepper.new_array();
  for (int k = 0; k < depth; ++k) {
    change_differences_.push_back(stepper.new_array());
    result_differences_.push_back(stepper.new_array());
  }
}

template <class Real>
void AndersonAcceleration<Real>::forget() {
  count_ = 0;
  has_last_ = false;
}

template <class Real>
void AndersonAcceleration<Real>::begin() {
  stepper_.copy_nodes(stepper_.f(), before_);
}

template <class Real>
void AndersonAcceleration<Real>::end() {
  Array<Real>& f = stepper_.f();
  stepper_.copy_nodes(f, change_);
  stepper_.add_nodes(-1, before_, change_);
  std::vector<double> weights;
  if (has_last_) {
    add_differences();
    weights = this->weights();
  }
  stepper_.copy_nodes(f, last_result_);
  change_.swap(last_change_);
  has_last_ = true;
  for (std::size_t j = 0; j < weights.size(); ++j)
    stepper_.add_nodes(static_cast<Real>(-weights[j]), result_differences_[j], f);
  stepper_.raise_to(last_result_);
}

/// Adds the differences between this and the last iteration, and their products.
template <class Real>
void AndersonAcceleration<Real>::add_differences() {
  const std::size_t depth = change_differences_.size(), newest = count_++ % depth;
  stepper_.copy_nodes(change_, change_differences_[newest]);
  stepper_.add_nodes(-1, last_change_, change_differences_[newest]);
  stepper_.copy_nodes(stepper_.f(), result_differences_[newest]);
  stepper_.add_nodes(-1, last_result_, result_differences_[newest]);
  const std::vector<double> row =
      stepper_.products(weights_, change_differences_[newest], {change_differences_.data(), differences()});
  for (std::size_t j = 0; j < row.size(); ++j) products_[newest * depth + j] = products_[j * depth + newest] = row[j];
}

/// γ by normal equations with a unit diagonal.
template <class Real>
std::vector<double> AndersonAcceleration<Real>::weights() {
  constexpr double regularization = 1e-13;  // lets differences be nearly dependent
  const std::size_t depth = change_differences_.size(), used = differences();
  std::vector<double> right = stepper_.products(weights_, change_, {change_differences_.data(), used}),
                      matrix(used * used), scale;
  for (std::size_t i = 0; i < used; ++i) scale.push_back(1 / std::sqrt(products_[i * depth + i]));
  for (std::size_t i = 0; i < used; ++i) {
    right[i] *= scale[i];
    for (std::size_t j = 0; j < used; ++j)
      matrix[i * used + j] = products_[i * depth + j] * scale[i] * scale[j] + (i == j ? regularization : 0);
  }
  if (!collision::solve_positive_definite(matrix.data(), right.data(), static_cast<int>(used))) {
    forget();
    return {};
  }
  for (std::size_t i = 0; i < used; ++i) right[i] *= scale[i];
  return right;
}

template class AndersonAcceleration<float>;
template class AndersonAcceleration<double>;

}  // namespace shoal::gas
