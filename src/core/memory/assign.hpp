// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <span>

namespace shoal {

/// Copies values of the host to an array on the queue's device.
template <class T>
void assign(const Queue& queue, std::span<const T> values, Array<T>& array) {
  array.resize(std::ssize(values));
  copy(queue, View<const T>(values.data(), std::ssize(values)), array.view());
}

}  // namespace shoal
