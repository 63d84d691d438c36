// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "mpi/mpi_group.hpp"

namespace shoal::mpi {

/// Returns the transport of queues on the CPU.
std::unique_ptr<Transport> make_host_transport(std::shared_ptr<MpiGroup> group);

/// Returns that of queues on GPUs through page-locked memory of the host: where ranks share a GPU, or NCCL is absent.
std::unique_ptr<Transport> make_staged_transport(std::shared_ptr<MpiGroup> group, const Queue& queue);

/// Connects the GPUs of all ranks, which differ. All ranks call it together.
std::shared_ptr<NcclRanks> connect_by_nccl(MpiGroup& group, int device);

/// Returns that of queues on GPUs from GPU to GPU. Exists in builds with NCCL only, as connect_by_nccl().
std::unique_ptr<Transport> make_nccl_transport(std::shared_ptr<MpiGroup> group, std::shared_ptr<NcclRanks> ranks,
                                               const Queue& queue);

/// Number of the CUDA device that these ranks were connected with.
int device_of(const NcclRanks& ranks);

}  // namespace shoal::mpi
