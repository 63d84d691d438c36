// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>
#ifdef SHOAL_WITH_MPI
#include <shoal/mpi.hpp>
#endif

#include <cstdlib>

#include "bindings.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

#ifdef SHOAL_WITH_MPI

Communicator ranks_of_world() { return mpi::world(); }

/// @param address  MPI._addressof(comm) of mpi4py
/// @param library  MPI.Get_library_version() of mpi4py
Communicator ranks_of(std::uintptr_t address, const std::string& library) {
  return mpi::of(reinterpret_cast<const void*>(address), library);
}

void abort_ranks(const Communicator& ranks, const std::string& message) { mpi::abort(ranks, message); }

#else

[[noreturn]] void refuse() {
  throw Error(
      "mpi: this build of shoal has no MPI, as wheels have none. Build it with pip install . "
      "--config-settings=cmake.define.SHOAL_MPI=ON, with Spack's shoal+mpi+python, or in a variant of the conda "
      "recipe.");
}

Communicator ranks_of_world() { refuse(); }
Communicator ranks_of(std::uintptr_t, const std::string&) { refuse(); }
void abort_ranks(const Communicator&, const std::string&) { std::exit(1); }

#endif

}  // namespace

Queue queue_of_ranks(const Communicator& ranks, const std::string& device, int threads) {
#ifdef SHOAL_WITH_MPI
  if (ranks.size() > 1) {
    const GilRelease gil_release;
    return mpi::queue(ranks, device, threads);
  }
#else
  static_cast<void>(ranks);
#endif
  return queue_of(device, threads);
}

void bind_mpi(nb::module_& module) {
  nb::class_<Communicator>(module, "Ranks", "Processes that work on one problem; made by shoal.mpi.")
      .def_prop_ro("rank", &Communicator::rank, "int: number of this process, 0 <= rank < size.")
      .def_prop_ro("size", &Communicator::size, "int: number of ranks.")
      .def_prop_ro("name", &Communicator::name, "str: \"rank 2 of 8 on node17\".")
      .def("agreed", &Communicator::agreed, "message"_a,
           "Returns True if the last error that all ranks have has this message.")
      .def("__repr__", [](const Communicator& ranks) { return "shoal.mpi.Ranks(" + ranks.name() + ")"; });
  nb::class_<Queue>(module, "Queue", "Device of a rank, for `device` of solvers and plans; made by shoal.mpi.queue.")
      .def_prop_ro(
          "device", [](const Queue& queue) { return to_string(queue.device()); }, "str: \"cpu\" or \"cuda:0\".")
      .def_prop_ro("threads", &Queue::threads, "int: number of CPU threads, also beside CUDA.")
      .def_prop_ro("name", &Queue::name, "str: description of the device.")
      .def("__repr__", [](const Queue& queue) { return "shoal.mpi.Queue(" + queue.name() + ")"; });
  module.def("queue_of_ranks", &queue_of_ranks, "ranks"_a, "device"_a, "threads"_a);
  module.def(
      "cut_by_weight",
      [](const std::vector<std::int64_t>& weight, int ranks, int least) {
        return cut_by_weight(weight, ranks, least).cut;
      },
      "weight"_a, "ranks"_a, "least"_a);
  module.def(
      "share_of",
      [](std::int64_t count, const Communicator& ranks) {
        const Share share = share_of(count, ranks);
        return std::array{share.first, share.first + share.count};
      },
      "count"_a, "ranks"_a);
  module.def("ranks_of_world", &ranks_of_world);
  module.def("ranks_of", &ranks_of, "address"_a, "library"_a);
  module.def("abort_ranks", &abort_ranks, "ranks"_a, "message"_a);
}

}  // namespace shoal::python
