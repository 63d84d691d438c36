// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/communication/rank_group.hpp"
#include "support/interrupts.hpp"
#include "support/options.hpp"
#include "support/plan_context.hpp"

/// Calls that several ranks make together.
namespace shoal::python {

/// Ranks of shoal.mpi.
template <>
struct OptionType<Communicator> {
  static std::string name() { return "Ranks"; }
  static std::string literal(const Communicator& ranks) { return ranks.name(); }
  static Communicator read(const std::string& option, nb::handle value) {
    if (!nb::isinstance<Communicator>(value)) bad_option(option, value, "ranks of shoal.mpi.world() or shoal.mpi.of()");
    return nb::cast<Communicator>(value);
  }
};

/// Docstring of this keyword.
inline const std::string ranks_parameter = R"(ranks : shoal.mpi.Ranks, optional
    Ranks that share the work; all make the same calls. See docs/ranks.md.
)";

/// The ranks that a caller gives, or this process alone.
inline Communicator ranks_or_alone(const std::optional<Communicator>& ranks) {
  return ranks.value_or(Communicator::alone());
}

/// Queue of a rank: queue_of() on one rank; on several a device, or a share of the cores, for each.
Queue queue_of_ranks(const Communicator& ranks, const std::string& device, int threads);

/// Description of the device for output: "4 x cuda:0 NVIDIA H200".
inline std::string device_of_ranks(const Queue& queue, const Communicator& ranks) {
  return ranks.size() > 1 ? text(ranks.size(), " x ", queue.name()) : queue.name();
}

/// Returns false on all ranks if an interruption or an error of a callback ends the run on any.
inline bool all_may_continue(const Communicator& ranks, Interrupts& interrupts) {
  std::array<std::uint64_t, 1> stops{interrupts.may_continue() ? 0U : 1U};
  ranks.group().all_max(stops);
  return stops[0] == 0;
}

/// Raises the exception of this rank; on the ranks without one a KeyboardInterrupt, since their run has ended early, too.
/// Needs Python's lock.
inline void raise_on_all(const Communicator& ranks, Interrupts& interrupts) {
  std::array<std::uint64_t, 1> raised{interrupts.has_error() ? 1U : 0U};
  ranks.group().all_max(raised);
  interrupts.raise();
  if (raised[0] == 0) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

}  // namespace shoal::python
