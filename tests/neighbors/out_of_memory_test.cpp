// SPDX-License-Identifier: Apache-2.0
// A list that does not fit the host gives an Error and leaves the plan usable.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <shoal/neighbors.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

Distribution<float> coincident_points(std::int64_t n) {
  Distribution<float> points{"one position", {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) points.add(0.5, 0.5, 0.5);
  return points;
}

/// Limits the memory of this process to the present size and `more` bytes.
void limit_memory(std::int64_t more) {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const auto bytes = static_cast<rlim_t>(pages * 4096 + more);
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(3);
}

/// Exits with 0 if the search reports the missing memory and the plan stays usable.
void search_without_room(const std::string& method) {
  const Queue queue = Queue::cpu(2);
  Neighbors<float> neighbors(queue, 0.1, {}, {.method = method});
  const Distribution<float> few = coincident_points(10);
  neighbors.find(DevicePoints<float>(queue, few).points());  // the threads allocate their stacks
  const DevicePoints<float> many(queue, coincident_points(12'000));
  limit_memory(std::int64_t{200} << 20);  // the list has 576 MB
  try {
    neighbors.find(many.points());
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    neighbors.find(DevicePoints<float>(queue, few).points());
    std::exit(neighbors.indices().count == 90 ? 0 : 2);
  }
  std::exit(1);
}

TEST(NeighborsWithoutRoom, ThrowAndStayUsable) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer reserves more address space than the limit leaves";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* method : {"rows", "tiles", "cell_list"})
    EXPECT_EXIT(search_without_room(method), testing::ExitedWithCode(0), "no room") << method;
}

}  // namespace
}  // namespace shoal::neighbors
