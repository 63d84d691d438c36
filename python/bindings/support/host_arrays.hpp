// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "support/owning_capsule.hpp"

/// NumPy arrays of the library's vectors.
namespace shoal::python {

namespace nb = nanobind;

/// Array that takes over a vector, without a copy.
template <class T>
nb::object take_over(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owning_capsule(std::move(owned))));
}

/// Array with a copy of a vector.
template <class T>
nb::object copy_of(const std::vector<T>& values) {
  return take_over(values, {values.size()});
}

/// Array of points: [n][2] or, with z, [n][3].
inline nb::object table_of(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
  const std::size_t columns = z.empty() && !x.empty() ? 2 : 3;
  std::vector<double> table;
  table.reserve(x.size() * columns);
  for (std::size_t i = 0; i < x.size(); ++i) {
    table.push_back(x[i]);
    table.push_back(y[i]);
    if (columns == 3) table.push_back(z[i]);
  }
  return take_over(std::move(table), {x.size(), columns});
}

/// Read-only array of a vector that belongs to `owner`. The vector must not be resized while the array exists.
template <class T>
nb::object view_of(const std::vector<T>& values, const std::vector<std::size_t>& shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), shape.size(), shape.data(), owner));
}

}  // namespace shoal::python
