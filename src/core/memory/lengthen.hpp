// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <utility>

namespace shoal {

/// Makes an array longer and keeps its elements. Empty arrays stay empty.
template <class T>
void lengthen(const Queue& queue, Array<T>& array, std::int64_t count) {
  if (array.count() == 0) return;
  Array<T> longer(queue, count);
  copy_bytes(queue, longer.data(), longer.device(), array.data(), array.device(),
             static_cast<std::size_t>(array.count()) * sizeof(T));
  array = std::move(longer);
}

}  // namespace shoal
