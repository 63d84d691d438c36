// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "deposit/ranks/shared_nodes.hpp"

namespace shoal::deposit {

namespace {

template <class T>
__global__ void pack_each(Fields<T> nodes, std::int64_t first, std::int64_t count, T* packed) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  for (int k = 0; k < nodes.count; ++k) packed[k * count + i] = nodes.at(k, first + i);
}

template <class T>
__global__ void add_each(const T* packed, Fields<T> nodes, std::int64_t first, std::int64_t count) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  for (int k = 0; k < nodes.count; ++k) nodes.at(k, first + i) = nodes.at(k, first + i) + packed[k * count + i];
}

template <class T>
void pack_cuda(const Queue& queue, const Fields<T>& nodes, std::int64_t first, std::int64_t count, T* packed) {
  launch(queue, count, pack_each<T>, nodes, first, count, packed);
}

template <class T>
void add_cuda(const Queue& queue, const T* packed, const Fields<T>& nodes, std::int64_t first, std::int64_t count) {
  launch(queue, count, add_each<T>, packed, nodes, first, count);
}

}  // namespace

template <class T>
const SharedNodesBackend<T> SharedNodesBackend<T>::cuda = {.pack = pack_cuda<T>, .add = add_cuda<T>};
template const SharedNodesBackend<float> SharedNodesBackend<float>::cuda;
template const SharedNodesBackend<double> SharedNodesBackend<double>::cuda;
template const SharedNodesBackend<std::uint64_t> SharedNodesBackend<std::uint64_t>::cuda;

}  // namespace shoal::deposit
