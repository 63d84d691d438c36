// SPDX-License-Identifier: Apache-2.0
#include "deposit/ranks/shared_nodes.hpp"

namespace shoal::deposit {

namespace {

template <class T>
void pack_cpu(const Queue& queue, const Fields<T>& nodes, std::int64_t first, std::int64_t count, T* packed) {
  for (int k = 0; k < nodes.count; ++k)
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t i = 0; i < count; ++i) packed[k * count + i] = nodes.at(k, first + i);
}

template <class T>
void add_cpu(const Queue& queue, const T* packed, const Fields<T>& nodes, std::int64_t first, std::int64_t count) {
  for (int k = 0; k < nodes.count; ++k)
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t i = 0; i < count; ++i) nodes.at(k, first + i) = nodes.at(k, first + i) + packed[k * count + i];
}

}  // namespace

template <class T>
const SharedNodesBackend<T> SharedNodesBackend<T>::cpu = {.pack = pack_cpu<T>, .add = add_cpu<T>};
template const SharedNodesBackend<float> SharedNodesBackend<float>::cpu;
template const SharedNodesBackend<double> SharedNodesBackend<double>::cpu;
template const SharedNodesBackend<std::uint64_t> SharedNodesBackend<std::uint64_t>::cpu;

}  // namespace shoal::deposit
