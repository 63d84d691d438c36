// SPDX-License-Identifier: Apache-2.0
// The device of each rank.
#include <sched.h>
#include <shoal/mpi.hpp>

#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "core/device/cuda_device.hpp"
#include "core/text.hpp"
#include "mpi/mpi_group.hpp"

namespace shoal::mpi {
namespace {

/// Device of a rank, as it reports it to the others.
struct RankDevice {
  std::array<char, 64> node{};
  DeviceKind kind = DeviceKind::cpu;
  bool share = false;  ///< ranks may share a CUDA device
  DeviceUuid uuid{};
  cpu_set_t cores{};  ///< CPU cores that the launcher has left to this rank

  std::string node_name() const { return node.data(); }
};

bool may_share_devices() {
  const char* const value = std::getenv("SHOAL_RANKS_SHARE_DEVICES");
  return value != nullptr && std::string_view(value) == "1";
}

DeviceKind kind_of(std::string_view device) {
  if (device == "cpu") return DeviceKind::cpu;
  if (device == "cuda") return DeviceKind::cuda;
  if (device == "best") return cuda_device_count() > 0 ? DeviceKind::cuda : DeviceKind::cpu;
  require(!device.starts_with("cuda:"), "mpi: device \"", device,
          "\" with several ranks; expected cpu, cuda or best, since each rank takes a device of its own.");
  throw Error(text("mpi: unknown device \"", device, "\"; expected cpu, cuda or best."));
}

/// Number of the CUDA device of this rank among those that it can use.
int device_index(const Communicator& ranks) { return ranks.node_rank() % std::max(cuda_device_count(), 1); }

RankDevice choose_device(const Communicator& ranks, std::string_view word) {
  RankDevice device{.kind = kind_of(word), .share = may_share_devices()};
  ranks.group().node_name().copy(device.node.data(), device.node.size() - 1);
  sched_getaffinity(0, sizeof device.cores, &device.cores);
  if (device.kind == DeviceKind::cuda) {
    if (cuda_device_count() == 0) Queue::cuda(0);  // throws the reason
    device.uuid = cuda_device_uuid(device_index(ranks));
  }
  return device;
}

void require_same_kind(const std::vector<RankDevice>& devices) {
  for (std::size_t rank = 1; rank < devices.size(); ++rank)
    require(
        devices[rank].kind == devices[0].kind, "mpi: rank 0 on ", devices[0].node_name(), " uses ",
        devices[0].kind == DeviceKind::cpu ? "the CPU" : "CUDA", ", and rank ", rank, " on ", devices[rank].node_name(),
        " the other kind of device. Expected one kind on all ranks: start them on machines that are alike, or choose "
        "the device \"cpu\".");
}

/// Throws if ranks have one CUDA device, which the caller has not asked for.
void require_own_devices(const std::vector<RankDevice>& devices) {
  if (devices[0].kind == DeviceKind::cpu || devices[0].share) return;
  std::set<DeviceUuid> taken;
  for (const RankDevice& device : devices) {
    if (taken.insert(device.uuid).second) continue;
    int ranks = 0;
    std::set<DeviceUuid> present;
    for (const RankDevice& neighbor : devices) {
      if (neighbor.node != device.node) continue;
      ++ranks;
      present.insert(neighbor.uuid);
    }
    throw Error(text("mpi: ", device.node_name(), " has ", ranks, " ranks, and ", present.size(),
                     present.size() == 1 ? " CUDA device" : " CUDA devices",
                     " that they can use; expected a device for each rank. Start at most ", present.size(),
                     present.size() == 1 ? " rank" : " ranks",
                     " there, or set the variable SHOAL_RANKS_SHARE_DEVICES=1: then ranks share devices."));
  }
}

/// Number of CPU threads of this rank, also beside a CUDA device: the launcher gives each rank cores of its own, or the
/// same cores to several.
int thread_count(const std::vector<RankDevice>& devices, const RankDevice& present) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return 0;  // as OpenMP has it
  int sharing = 0;
  for (const RankDevice& device : devices)
    if (device.node == present.node && CPU_EQUAL(&device.cores, &present.cores)) ++sharing;
  return std::max(1, CPU_COUNT(&present.cores) / sharing);
}

}  // namespace

Queue queue(const Communicator& ranks, std::string_view device, int threads) {
  if (ranks.size() == 1) return Queue::parse(device, threads);
  RankDevice chosen;
  ranks.agree([&] { chosen = choose_device(ranks, device); });
  std::vector<RankDevice> devices(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&chosen, sizeof chosen, devices.data());
  std::optional<Queue> queue;
  ranks.agree([&] {
    require_same_kind(devices);
    require_own_devices(devices);
    const std::string word = to_string(Device{chosen.kind, chosen.kind == DeviceKind::cpu ? 0 : device_index(ranks)});
    queue = Queue::parse(word, threads != 0 ? threads : thread_count(devices, chosen));
  });
  if (auto* const group = dynamic_cast<MpiGroup*>(&ranks.group()))
    group->watch().set_device(to_string(queue->device()));
  return *queue;
}

}  // namespace shoal::mpi
