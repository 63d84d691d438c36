// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace shoal {

/// The caller's array: pointer, count, stride and device. A view owns nothing and copies nothing.
///
/// Element i is `data[i * stride]`, so a structure of arrays (stride 1) and a member of an array of structures
/// (stride = number of members) need no copy.
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t count = 0;
  std::int64_t stride = 1;  ///< Distance of neighboring elements, in elements
  Device device{};

  View() = default;
  View(T* data_, std::int64_t count_, Device device_ = {}, std::int64_t stride_ = 1)
      : data(data_), count(count_), stride(stride_), device(device_) {}

  /// View of a host vector.
  View(std::vector<std::remove_const_t<T>>& host) : View(host.data(), static_cast<std::int64_t>(host.size())) {}
  View(const std::vector<std::remove_const_t<T>>& host) requires std::is_const_v<T>
      : View(host.data(), static_cast<std::int64_t>(host.size())) {}

  /// Converts a view for writing to one for reading.
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) operator View<U>() const {
    return {data, count, device, stride};
  }

  bool empty() const { return count == 0; }
  bool contiguous() const { return stride == 1 || count <= 1; }
};

/// @name Raw memory of a queue's device
/// Stream-ordered pool on CUDA (`cudaMallocAsync`), 64-byte aligned host memory on the CPU. No managed memory.
/// @{
/// @throws OutOfMemory  names the needed and the free memory
void* allocate_bytes(const Queue& queue, std::size_t bytes);
void free_bytes(const Queue& queue, void* pointer) noexcept;
/// Copies between any two devices, in the order of `queue`; copies from or to pageable host memory have ended on
/// return.
void copy_bytes(const Queue& queue, void* destination, Device destination_device, const void* source,
                Device source_device, std::size_t bytes);
/// Sets every byte to `value`, in the order of `queue`.
void fill_bytes(const Queue& queue, void* destination, int value, std::size_t bytes);
/// @}

/// Bytes of an array; used by the templates of arrays, not by callers.
/// @throws Error        count < 0
/// @throws OutOfMemory  more bytes than can be counted
std::size_t array_bytes(std::int64_t count, std::size_t element_bytes);

/// An owning, uninitialized array on the device of a queue. It can be moved, not copied.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  Array(const Queue& queue, std::int64_t count) : queue_(queue) { resize(count); }
  Array(Array&& source) noexcept { swap(source); }
  Array& operator=(Array&& source) noexcept {
    swap(source);
    return *this;
  }
  ~Array() { release(); }

  /// Grows the memory only when needed; the contents are lost when it grows.
  /// @throws OutOfMemory  the array is then empty and holds no memory
  void resize(std::int64_t count) {
    if (count < 0 || count > capacity_) {
      const std::size_t bytes = array_bytes(count, sizeof(T));
      release();
      data_ = static_cast<T*>(allocate_bytes(*queue_, bytes));
      capacity_ = count;
    }
    count_ = count;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t count() const { return count_; }
  /// Memory that the array holds, independent of its count.
  std::int64_t bytes() const { return capacity_ * static_cast<std::int64_t>(sizeof(T)); }
  Device device() const { return queue_ ? queue_->device() : Device{}; }
  View<T> view() { return {data_, count_, device()}; }
  View<const T> view() const { return {data_, count_, device()}; }
  operator View<T>() { return view(); }
  operator View<const T>() const { return view(); }

  void swap(Array& array) noexcept {
    std::swap(queue_, array.queue_);
    std::swap(data_, array.data_);
    std::swap(count_, array.count_);
    std::swap(capacity_, array.capacity_);
  }

 private:
  void release() noexcept {
    if (data_) free_bytes(*queue_, data_);
    data_ = nullptr;
    count_ = 0;
    capacity_ = 0;
  }

  std::optional<Queue> queue_;
  T* data_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t capacity_ = 0;
};

/// Throws unless the views are contiguous and of equal count; used by the template below, not by callers.
void require_copyable(std::int64_t source_count, bool source_contiguous, std::int64_t destination_count,
                      bool destination_contiguous);

/// Copies `source` to `destination`, whatever their devices. Both are contiguous and have the same count.
/// @throws Error  counts differ or a view is strided
template <class T>
void copy(const Queue& queue, View<const std::type_identity_t<T>> source, View<T> destination) {
  require_copyable(source.count, source.contiguous(), destination.count, destination.contiguous());
  copy_bytes(queue, destination.data, destination.device, source.data, source.device,
             static_cast<std::size_t>(destination.count) * sizeof(T));
}

/// Host copy of a device or host array; waits for the queue.
template <class T>
std::vector<std::remove_const_t<T>> to_host(const Queue& queue, View<T> source) {
  std::vector<std::remove_const_t<T>> host(static_cast<std::size_t>(source.count));
  copy(queue, source, View<std::remove_const_t<T>>(host));
  queue.wait();
  return host;
}
template <class T>
std::vector<T> to_host(const Queue& queue, const Array<T>& source) {
  return to_host(queue, source.view());
}

/// Device array with the contents of a host vector.
template <class T>
Array<T> to_device(const Queue& queue, const std::vector<T>& host) {
  Array<T> array(queue, static_cast<std::int64_t>(host.size()));
  copy(queue, View<const T>(host), array.view());
  return array;
}

}  // namespace shoal
