// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/openmp.hpp>

#include <exception>
#include <iostream>

namespace shoal::benchmarks {

/// Calls run(argc, argv) for main(). Returns its status, or 1 after an error, which is printed with the name.
template <class Run>
int run_program(const char* name, int argc, char** argv, const Run& run) {
  limit_openmp_spinning(argv);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace shoal::benchmarks
