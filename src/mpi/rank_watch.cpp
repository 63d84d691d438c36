// SPDX-License-Identifier: Apache-2.0
#include "mpi/rank_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "mpi/mpi_check.hpp"

namespace shoal::mpi {
namespace {

constexpr int report_tag = 1;

double timeout_of_environment() {
  const char* const value = std::getenv("SHOAL_RANKS_TIMEOUT");
  if (value == nullptr) return 300;
  char* end = nullptr;
  const double seconds = std::strtod(value, &end);
  require(end != value && *end == '\0' && std::isfinite(seconds) && seconds > 0,
          "mpi: the variable SHOAL_RANKS_TIMEOUT is \"", value, "\", expected a number of seconds above 0.");
  return seconds;
}

std::string processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
  int length = 0;
  SHOAL_MPI_CHECK(MPI_Get_processor_name(name.data(), &length));
  return name.data();
}

/// Time that machines of a cluster share, to a second or so.
std::int64_t time_of_day() {
  using std::chrono::nanoseconds;
  return std::chrono::duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// "rank 2" or "ranks 2, 3".
std::string list_of(const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  std::vector<std::string> numbers;
  for (std::size_t entry = 0; entry < std::min(ranks.size(), most); ++entry)
    numbers.push_back(std::to_string(ranks[entry]));
  if (ranks.size() > most) numbers.push_back(text("and ", ranks.size() - most, " more"));
  return text(ranks.size() == 1 ? "rank " : "ranks ", join(numbers));
}

}  // namespace

RankWatch::RankWatch(MPI_Comm comm) : comm_(comm), node_name_(processor_name()), timeout_(timeout_of_environment()) {
  SHOAL_MPI_CHECK(MPI_Comm_rank(comm_, &rank_));
  SHOAL_MPI_CHECK(MPI_Comm_size(comm_, &size_));
  reports_.resize(static_cast<std::size_t>(size_));
}

std::string RankWatch::name() const {
  const std::string device = device_.empty() ? "" : text(" (", device_, ")");
  return text("rank ", rank_, " of ", size_, " on ", node_name_, device);
}

void RankWatch::report() {
  report_ = time_of_day();
  for (int rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    // Eight bytes: every MPI sends them at once, so that nobody need wait for the end of the request.
    SHOAL_MPI_CHECK(MPI_Isend(&report_, 1, MPI_INT64_T, rank, report_tag, comm_, &request));
    SHOAL_MPI_CHECK(MPI_Request_free(&request));
  }
}

std::vector<bool> RankWatch::reported_lately() {
  for (;;) {
    int present = 0;
    MPI_Status status;
    SHOAL_MPI_CHECK(MPI_Iprobe(MPI_ANY_SOURCE, report_tag, comm_, &present, &status));
    if (!present) break;
    std::int64_t& report = reports_[static_cast<std::size_t>(status.MPI_SOURCE)];
    SHOAL_MPI_CHECK(MPI_Recv(&report, 1, MPI_INT64_T, status.MPI_SOURCE, report_tag, comm_, MPI_STATUS_IGNORE));
  }
  // A rank reports after half of the deadline, so an older report is one of an earlier wait.
  const std::int64_t oldest = time_of_day() - static_cast<std::int64_t>(timeout_ * 1e9);
  std::vector<bool> lately(reports_.size());
  for (std::size_t rank = 0; rank < lately.size(); ++rank)
    lately[rank] = static_cast<int>(rank) == rank_ || reports_[rank] >= oldest;
  return lately;
}

void RankWatch::end_at_deadline(std::string_view call, int partner) {
  std::vector<bool> waiting = reported_lately();
  if (std::find(waiting.begin(), waiting.begin() + rank_, true) != waiting.begin() + rank_) {
    // A smaller rank waits, too, and says so: it ends this one.
    std::this_thread::sleep_for(std::chrono::seconds(2));
    waiting = reported_lately();
  }
  std::vector<int> silent;
  for (int rank = 0; rank < size_; ++rank)
    if (!waiting[static_cast<std::size_t>(rank)]) silent.push_back(rank);
  if (silent.empty() && partner >= 0) silent.push_back(partner);
  print_and_end(text(name(), " has waited ", timeout_, " s for ", silent.empty() ? "the other ranks" : list_of(silent),
                     " (", call, "). ", silent.size() > 1 ? "Are they" : "Is it",
                     " alive? The variable SHOAL_RANKS_TIMEOUT sets the seconds."),
                1);
}

void RankWatch::abort(std::string_view message, int exit_code) const {
  print_and_end(text(name(), ": ", message), exit_code);
}

void RankWatch::print_and_end(const std::string& message, int exit_code) const {
  std::fflush(stdout);
  std::fputs(text("shoal: ", message, "\n").c_str(), stderr);
  std::fflush(stderr);
  MPI_Abort(comm_, exit_code);
  std::_Exit(exit_code);
}

void RankWait::poll(int partner) {
  const auto now = std::chrono::steady_clock::now();
  const double since_poll = std::chrono::duration<double>(now - poll_).count();
  poll_ = now;
  constexpr double longest_pause = 1;  // s between two polls of a process that runs
  if (since_poll < longest_pause) waited_ += since_poll;
  if (waited_ > 1) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  } else if (waited_ > 2e-5) {
    std::this_thread::yield();
  }
  if (!reported_ && waited_ > watch_.timeout() / 2) {
    watch_.report();
    reported_ = true;
  }
  if (waited_ > watch_.timeout()) watch_.end_at_deadline(call_, partner);
}

}  // namespace shoal::mpi
