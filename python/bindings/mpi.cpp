// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/communicator.hpp>
#ifdef SHOAL_WITH_MPI
#include <shoal/mpi.hpp>
#endif

#include <cstdlib>

#include "bindings.hpp"

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
      "--config-settings=cmake.define.SHOAL_MPI=ON, or with Spack's shoal+mpi+python.");
}

Communicator ranks_of_world() { refuse(); }
Communicator ranks_of(std::uintptr_t, const std::string&) { refuse(); }
void abort_ranks(const Communicator&, const std::string&) { std::exit(1); }

#endif

}  // namespace

Queue queue_of_ranks(const Communicator& ranks, const std::string& device, int threads) {
#ifdef SHOAL_WITH_MPI
  if (ranks.size() > 1) {
    const Queue queue = mpi::queue(ranks, device);
    return queue.on_cpu() && threads > 0 ? Queue::cpu(threads) : queue;
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
  module.def("ranks_of_world", &ranks_of_world);
  module.def("ranks_of", &ranks_of, "address"_a, "library"_a);
  module.def("abort_ranks", &abort_ranks, "ranks"_a, "message"_a);
}

}  // namespace shoal::python
