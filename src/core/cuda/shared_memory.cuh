// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal {

/// Returns the number and hides its origin from the compiler, which then keeps it in a register instead of computing it
/// again at every use.
__device__ __forceinline__ int opaque(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

/// An address in a block's shared memory, as the 32 bits that instructions take. From a pointer the compiler computes them
/// again at every use, which costs more than the access.
class SharedAddress {
 public:
  __device__ __forceinline__ explicit SharedAddress(const void* pointer)
      : address_(static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer))) {
    asm volatile("" : "+r"(address_));  // hides the origin of the number
  }

  __device__ __forceinline__ SharedAddress operator+(std::uint32_t bytes) const {
    SharedAddress result = *this;
    result.address_ += bytes;
    return result;
  }

  /// The address as instructions take it.
  __device__ __forceinline__ std::uint32_t number() const { return address_; }

  __device__ __forceinline__ void load(double& value) const {
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(address_) : "memory");
  }
  __device__ __forceinline__ void load(float& value) const {
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(address_) : "memory");
  }
  __device__ __forceinline__ void store(double value) const {
    asm volatile("st.shared.f64 [%0], %1;" : : "r"(address_), "d"(value) : "memory");
  }
  __device__ __forceinline__ void store(float value) const {
    asm volatile("st.shared.f32 [%0], %1;" : : "r"(address_), "f"(value) : "memory");
  }

  __device__ __forceinline__ void store(std::int32_t value) const {
    asm volatile("st.shared.s32 [%0], %1;" : : "r"(address_), "r"(value) : "memory");
  }

  /// Two numbers at a multiple of 8 B.
  __device__ __forceinline__ void load(std::uint32_t& first, std::int32_t& second) const {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(first), "=r"(second) : "r"(address_) : "memory");
  }

  /// Four numbers at a multiple of 16 B.
  __device__ __forceinline__ void load(std::int32_t (&value)[4]) const {
    asm volatile("ld.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value[0]), "=r"(value[1]), "=r"(value[2]), "=r"(value[3])
                 : "r"(address_)
                 : "memory");
  }
  __device__ __forceinline__ void store(const std::int32_t (&value)[4]) const {
    asm volatile("st.shared.v4.s32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(address_), "r"(value[0]), "r"(value[1]), "r"(value[2]), "r"(value[3])
                 : "memory");
  }

  /// Starts to copy a number from global memory. The caller waits for it with __pipeline_commit() and
  /// __pipeline_wait_prior().
  template <class T>
  __device__ __forceinline__ void copy_async(const T* source) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"(address_), "l"(__cvta_generic_to_global(source)), "n"(static_cast<int>(sizeof(T)))
                 : "memory");
  }

 private:
  std::uint32_t address_;
};

}  // namespace shoal
