// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal {

/// Shortens the time that waiting OpenMP threads of g++ spin before they sleep. The default makes a program several times
/// slower when other work shares its cores.
///
/// Programs call it first in main(). The OpenMP library reads the setting, GOMP_SPINCOUNT=10000 in the environment, before
/// main() begins, so the program starts itself again, once. A setting of the user, also OMP_WAIT_POLICY, stays.
///
///     int main(int argc, char** argv) {
///       shoal::limit_openmp_spinning(argv);
///       ...
///
/// @param argv  arguments of main()
void limit_openmp_spinning(char** argv);

}  // namespace shoal
