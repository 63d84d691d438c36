// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>

namespace shoal {

/// Number of a GPU, or of a part of one, that no other has.
using DeviceUuid = std::array<std::uint8_t, 16>;

/// @throws Error  this build has no CUDA, or there is no such device
DeviceUuid cuda_device_uuid(int index);

/// Calls `work` with this CUDA device as that of the thread, for libraries that use the thread's device.
void with_cuda_device(int index, const std::function<void()>& work);

}  // namespace shoal
