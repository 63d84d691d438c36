// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/npy_series.hpp"

#include <utility>

#include "core/text.hpp"
#include "io/formats/binary/npy.hpp"

namespace shoal::io {

namespace {

constexpr std::size_t header_bytes = 192;  // room for a number of states of any length

}  // namespace

NpySeries::NpySeries(std::filesystem::path path, std::string type, std::vector<std::uint64_t> shape,
                     std::optional<std::int64_t> kept_states)
    : path_(std::move(path)), type_(std::move(type)), shape_(std::move(shape)), bytes_(type_ == "<f4" ? 4 : 8) {
  for (const std::uint64_t size : shape_) bytes_ *= size;
  if (kept_states)
    continue_after(*kept_states);
  else
    std::ofstream(path_, std::ios::binary | std::ios::trunc);
  file_.open(path_, std::ios::binary | std::ios::in | std::ios::out);
  write_header();
}

void NpySeries::continue_after(std::int64_t states) {
  std::ifstream in(path_, std::ios::binary);
  require(in.good(), path_.string(), ": there is no such file, but the run that is continued has written it.");
  NpyHeader header = read_npy_header(in, path_.string());
  std::vector<std::uint64_t> expected = shape_;
  expected.insert(expected.begin(), header.shape.empty() ? 0 : header.shape[0]);
  require(header.type == type_ && header.shape == expected, path_.string(), ": it has ", header.type, ' ',
          shape_text(header.shape), ", expected ", type_, ' ', shape_text(expected), ".");
  require(static_cast<std::int64_t>(expected[0]) >= states, path_.string(), ": it has ", expected[0],
          " states, but the restart is of ", states, ". Run the case again.");
  in.close();
  std::filesystem::resize_file(path_, header_bytes + static_cast<std::uint64_t>(states) * bytes_);
  count_ = states;
}

void NpySeries::append(const void* state) {
  file_.seekp(static_cast<std::streamoff>(header_bytes + static_cast<std::uint64_t>(count_) * bytes_));
  file_.write(static_cast<const char*>(state), static_cast<std::streamsize>(bytes_));
  file_.flush();
  ++count_;
  write_header();
}

void NpySeries::write_header() {
  std::vector<std::uint64_t> shape = shape_;
  shape.insert(shape.begin(), static_cast<std::uint64_t>(count_));
  file_.seekp(0);
  file_ << npy_header(type_, shape, header_bytes);
  file_.flush();
  require(file_.good(), path_.string(), ": cannot write the array.");
}

}  // namespace shoal::io
