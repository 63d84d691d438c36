// SPDX-License-Identifier: Apache-2.0
#include "mpi/transports.hpp"

namespace shoal::mpi {
namespace {

class HostTransport : public Transport {
 public:
  explicit HostTransport(std::shared_ptr<MpiGroup> group) : group_(std::move(group)) {}

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    group_->exchange(sends, receives);
  }

  void all_max(std::uint64_t* words, int count) override { group_->all_max({words, static_cast<std::size_t>(count)}); }

  std::string name() const override { return "MPI"; }

 private:
  std::shared_ptr<MpiGroup> group_;
};

}  // namespace

std::unique_ptr<Transport> make_host_transport(std::shared_ptr<MpiGroup> group) {
  return std::make_unique<HostTransport>(std::move(group));
}

}  // namespace shoal::mpi
