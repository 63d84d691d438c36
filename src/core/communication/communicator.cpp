// SPDX-License-Identifier: Apache-2.0
#include <shoal/error.hpp>
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <exception>
#include <limits>
#include <utility>

#include "core/communication/alone.hpp"

namespace shoal {
namespace {

/// The exception that `work` threw on this rank.
struct Failure {
  std::exception_ptr exception;  ///< null: nothing
  std::string text;
  bool out_of_memory = false;
};

Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const OutOfMemory& error) {
    return {.exception = std::current_exception(), .text = error.what(), .out_of_memory = true};
  } catch (const std::exception& error) {
    return {.exception = std::current_exception(), .text = error.what()};
  } catch (...) {
    return {.exception = std::current_exception(), .text = "an exception that is not derived from std::exception"};
  }
}

/// Throws what rank `from` has found; `failure` is that of this rank.
[[noreturn]] void throw_of_rank(RankGroup& group, int from, Failure failure) {
  if (group.rank() != from) failure = {};
  std::array<std::uint64_t, 2> shape{failure.text.size(), failure.out_of_memory ? 1U : 0U};
  group.broadcast(shape.data(), sizeof shape, from);
  failure.text.resize(shape[0]);
  group.broadcast(failure.text.data(), failure.text.size(), from);
  group.agreed_error = failure.text;
  if (failure.exception) std::rethrow_exception(failure.exception);
  if (shape[1] != 0) throw OutOfMemory(failure.text);
  throw Error(failure.text);
}

}  // namespace

Communicator Communicator::alone() { return Communicator(make_alone()); }

Communicator::Communicator(std::shared_ptr<RankGroup> group) : group_(std::move(group)) {
  if (!group_) throw Error("communicator: no ranks. Use Communicator::alone(), mpi::world() or mpi::of().");
}

int Communicator::rank() const { return group_->rank(); }
int Communicator::size() const { return group_->size(); }
int Communicator::node_rank() const { return group_->node_rank(); }
int Communicator::node_size() const { return group_->node_size(); }

void Communicator::agree(const std::function<void()>& work) const {
  if (size() == 1) return work();
  group_->agreed_error.clear();
  constexpr std::uint64_t none = 0;
  const Failure failure = failure_of(work);
  // Words decrease with the rank, so that the largest is that of the smallest rank.
  const auto word = std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(rank());
  std::array<std::uint64_t, 1> first{failure.exception ? word : none};
  group_->all_max(first);
  if (first[0] == none) return;
  throw_of_rank(*group_, static_cast<int>(std::numeric_limits<std::uint64_t>::max() - first[0]), failure);
}

bool Communicator::agreed(std::string_view message) const {
  return size() == 1 || (!message.empty() && group_->agreed_error == message);
}

std::string Communicator::name() const {
  return "rank " + std::to_string(rank()) + " of " + std::to_string(size()) + " on " + group_->node_name();
}

}  // namespace shoal
