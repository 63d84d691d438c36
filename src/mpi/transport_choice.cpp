// SPDX-License-Identifier: Apache-2.0
// This file chooses the transport of the queues of several ranks.
#include <shoal/mpi.hpp>

#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

#include "core/device/cuda_device.hpp"
#include "core/text.hpp"
#include "mpi/mpi_group.hpp"
#include "mpi/transports.hpp"

namespace shoal::mpi {
namespace {

/// Queue of a rank, as it reports it to the others.
struct RankQueue {
  DeviceKind kind = DeviceKind::cpu;
  bool nccl = false;       ///< this rank can use NCCL
  bool connected = false;  ///< and has done so with this device
  DeviceUuid uuid{};
};

bool may_use_nccl() {
#ifdef SHOAL_NCCL
  const char* const value = std::getenv("SHOAL_RANKS_NCCL");
  return value == nullptr || std::string_view(value) != "0";
#else
  return false;
#endif
}

/// NCCL needs a device for each rank.
[[maybe_unused]] bool all_use_nccl(const std::vector<RankQueue>& queues) {
  std::set<DeviceUuid> devices;
  for (const RankQueue& queue : queues)
    if (!queue.nccl || !devices.insert(queue.uuid).second) return false;
  return true;
}

}  // namespace

std::unique_ptr<Transport> MpiGroup::transport(const Queue& queue) {
  RankQueue present{.kind = queue.device().kind};
  if (!queue.on_cpu()) {
    present.nccl = may_use_nccl();
    present.uuid = cuda_device_uuid(queue.device().index);
#ifdef SHOAL_NCCL
    present.connected = nccl_ != nullptr && device_of(*nccl_) == queue.device().index;
#endif
  }
  std::vector<RankQueue> queues(static_cast<std::size_t>(size_));
  all_gather(&present, sizeof present, queues.data());
  [[maybe_unused]] bool connected = true;
  for (const RankQueue& member : queues) {
    require(member.kind == queues[0].kind,
            "mpi: some ranks have a queue on the CPU, others one on CUDA; expected one kind. "
            "mpi::queue() gives each rank its present.");
    connected = connected && member.connected;
  }
  if (queue.on_cpu()) return make_host_transport(shared_from_this());
#ifdef SHOAL_NCCL
  if (all_use_nccl(queues)) {
    if (!connected) nccl_ = connect_by_nccl(*this, queue.device().index);
    return make_nccl_transport(shared_from_this(), nccl_, queue);
  }
#endif
  return make_staged_transport(shared_from_this(), queue);
}

#ifndef SHOAL_NCCL
std::string nccl_version() { return "not in this build"; }
#endif

}  // namespace shoal::mpi
