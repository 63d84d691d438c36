// SPDX-License-Identifier: Apache-2.0
// Reader of the numbers of Plot3D files. All files contain the number of blocks (absent if there is one block) and the
// numbers of nodes of each block along i, j (and k). Then they contain for each block all x, all y (all z), and perhaps
// an iblank for each node, which is skipped. A raw file has no records; its size identifies its layout.
#include "io/mesh/readers/plot3d/plot3d_blocks.hpp"

#include <algorithm>
#include <bit>

namespace shoal::io {

namespace {

static_assert(std::endian::native == std::endian::little, "the order of bytes is compared with memory's");

using Nodes = std::array<std::int64_t, 3>;
using Use = std::function<void(const Nodes&, const MeshPoints&)>;

std::int64_t product(const Nodes& nodes) { return nodes[0] * nodes[1] * nodes[2]; }

/// Count as an integer; 0 if `value` is not a count, or so large that products of counts would overflow.
std::int64_t count_of(double value) {
  constexpr double most = 1 << 20;
  return value >= 1 && value <= most && value == static_cast<double>(static_cast<std::int64_t>(value))
             ? static_cast<std::int64_t>(value)
             : 0;
}

/// Possible layout of the numbers of a file without records.
struct Layout {
  bool has_block_count;
  std::size_t dimensions;
  bool has_iblank;
};

constexpr Layout layouts[] = {{true, 3, false},  {true, 3, true},  {true, 2, false},  {true, 2, true},
                              {false, 3, false}, {false, 3, true}, {false, 2, false}, {false, 2, true}};

/// Numbers of nodes of the blocks; empty if the header excludes this layout.
std::vector<Nodes> header_of(const std::vector<double>& numbers, const Layout& layout) {
  const std::size_t first = layout.has_block_count ? 1 : 0;
  if (numbers.size() <= first) return {};
  const auto blocks = static_cast<std::size_t>(layout.has_block_count ? count_of(numbers[0]) : 1);
  if (blocks == 0 || numbers.size() < first + blocks * layout.dimensions) return {};
  std::vector<Nodes> sizes;
  for (std::size_t block = 0; block < blocks; ++block) {
    Nodes nodes = {1, 1, 1};
    for (std::size_t axis = 0; axis < layout.dimensions; ++axis)
      nodes[axis] = count_of(numbers[first + block * layout.dimensions + axis]);
    if (product(nodes) == 0) return {};
    sizes.push_back(nodes);
  }
  return sizes;
}

std::size_t header_size(const Layout& layout, std::size_t blocks) {
  return (layout.has_block_count ? 1 : 0) + blocks * layout.dimensions;
}

/// Number of nodes of all blocks. It is a double because one block may have 2^60 nodes, so that an integer sum can
/// overflow.
double all_nodes(const std::vector<Nodes>& blocks) {
  double nodes = 0;
  for (const Nodes& block : blocks) nodes += static_cast<double>(product(block));
  return nodes;
}

// Text ----------------------------------------------------------------------------------------------------------------

std::size_t numbers_a_node(const Layout& layout) { return layout.dimensions + (layout.has_iblank ? 1 : 0); }

double expected_numbers(const Layout& layout, const std::vector<Nodes>& blocks) {
  return static_cast<double>(header_size(layout, blocks.size())) +
         all_nodes(blocks) * static_cast<double>(numbers_a_node(layout));
}

/// Checks a count of repeats. A coordinate changes along i, so that at least a quarter of a file's numbers, iblank
/// included, is written out, each with two characters.
void require_repeats(std::size_t numbers, std::int64_t times, std::size_t position, const FileCursor& file) {
  const std::size_t most = 2 * file.content().size();
  if (numbers > most || static_cast<std::size_t>(times) > most - numbers)
    file.refuse(position, "a number is repeated ", times, " times, and a grid in a file of ", file.content().size(),
                " bytes has at most ", most, " numbers.");
}

/// Appends the numbers of a word, separated by commas: 1.5, 1.5D0, or 3*1.5 for three equal numbers.
void append_numbers(std::vector<double>& numbers, std::string_view word, const FileCursor& file) {
  while (!word.empty()) {
    std::string part(word.substr(0, word.find(',')));
    word.remove_prefix(std::min(word.size(), part.size() + 1));
    for (char& c : part)
      if (c == 'd' || c == 'D') c = 'e';
    const std::size_t star = part.find('*');
    std::int64_t times = 1;
    double value = 0;
    const bool is_count = star == std::string::npos || (read_number(part.substr(0, star), times) && times > 0);
    const std::string_view number = std::string_view(part).substr(star == std::string::npos ? 0 : star + 1);
    const std::size_t position = file.position() - word.size() - part.size();
    if (!is_count || !read_number(number, value))
      file.refuse(position, "\"", part.substr(0, 40), "\" is not a number.");
    if (!std::isfinite(value)) file.refuse(position, "a coordinate is ", value, ", expected a finite one.");
    if (times > 1) require_repeats(numbers.size(), times, position, file);
    numbers.insert(numbers.end(), static_cast<std::size_t>(times), value);
  }
}

[[noreturn]] void refuse_counts(const FileCursor& file, const std::vector<double>& numbers) {
  std::string expected;
  for (const Layout& layout : layouts)
    if (const auto blocks = header_of(numbers, layout); !blocks.empty() && !layout.has_iblank)
      expected += text(expected.empty() ? "" : "; ", expected_numbers(layout, blocks), " for ", blocks.size(),
                       blocks.size() == 1 ? " block in " : " blocks in ", layout.dimensions, "-D",
                       layout.has_block_count ? "" : " without a number of blocks");
  throw Error(text(file.name(), ": cut short or no Plot3D: it has ", numbers.size(), " numbers, expected ",
                   expected.empty() ? "counts of blocks and nodes first" : expected, "."));
}

void read_text(FileCursor& file, const Use& use) {
  std::vector<double> numbers;
  while (!file.at_end()) append_numbers(numbers, file.word("a number"), file);
  for (const Layout& layout : layouts) {
    const std::vector<Nodes> blocks = header_of(numbers, layout);
    if (blocks.empty() || expected_numbers(layout, blocks) != static_cast<double>(numbers.size())) continue;
    auto next = numbers.begin() + static_cast<std::ptrdiff_t>(header_size(layout, blocks.size()));
    for (const Nodes& block : blocks) {
      const std::int64_t count = product(block);
      MeshPoints coordinates;
      coordinates.x.assign(next, next + count);
      coordinates.y.assign(next + count, next + 2 * count);
      if (layout.dimensions == 3) coordinates.z.assign(next + 2 * count, next + 3 * count);
      coordinates.z.resize(coordinates.x.size());
      use(block, coordinates);
      next += count * static_cast<std::ptrdiff_t>(numbers_a_node(layout));
    }
    return;
  }
  refuse_counts(file, numbers);
}

// Records -------------------------------------------------------------------------------------------------------------

/// Fortran's unformatted records: each record stands between two marks with its number of bytes. A record that is too
/// long for a mark is split into parts; all but the last part have a negative mark in front.
class Records {
 public:
  Records(FileCursor& file, bool swapped) : file_(file), swapped_(swapped) {}

  struct Record {
    std::string bytes;
    std::size_t begin;
  };

  Record next(const char* what) {
    Record record{"", file_.position()};
    while (true) {
      const std::size_t begin = file_.position();
      const auto mark = static_cast<std::int64_t>(file_.raw<std::int32_t>(what, swapped_));
      record.bytes += file_.bytes(static_cast<std::uint64_t>(mark < 0 ? -mark : mark), what);
      const auto end = static_cast<std::int64_t>(file_.raw<std::int32_t>(what, swapped_));
      if ((end < 0 ? -end : end) != (mark < 0 ? -mark : mark))
        file_.refuse_byte(begin, "a record of ", mark, " bytes ends with the mark ", end, ", expected the same.");
      if (mark >= 0) return record;
    }
  }

  template <class T>
  T number(const Record& record, std::size_t i) const {
    char bytes[sizeof(T)];
    std::memcpy(bytes, record.bytes.data() + i * sizeof(T), sizeof(T));
    if (swapped_) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }

 private:
  FileCursor& file_;
  bool swapped_;
};

class Unformatted {
 public:
  Unformatted(FileCursor& file, bool swapped) : file_(file), records_(file, swapped) {}

  void read(const Use& use) {
    for (const Nodes& nodes : header()) use(nodes, coordinates(nodes));
    const std::size_t left = file_.content().size() - file_.position();
    if (left > 0) file_.refuse_byte(file_.position(), left, " bytes are left after the last block.");
  }

 private:
  std::vector<Nodes> header() {
    Records::Record record = records_.next("the header");
    std::int64_t blocks = 1;
    if (record.bytes.size() == sizeof(std::int32_t)) {
      blocks = records_.number<std::int32_t>(record, 0);
      if (blocks < 1) file_.refuse_byte(record.begin, blocks, " blocks, expected 1 or more.");
      record = records_.next("the blocks' numbers of nodes");
    }
    const std::size_t a_dimension = static_cast<std::size_t>(blocks) * sizeof(std::int32_t);
    dimensions_ = record.bytes.size() / a_dimension;
    if (record.bytes.size() % a_dimension != 0 || dimensions_ < 2 || dimensions_ > 3)
      file_.refuse_byte(record.begin, "the record of the numbers of nodes of ", blocks, " blocks has ",
                        record.bytes.size(), " bytes, expected ", 2 * a_dimension, " (2-D) or ", 3 * a_dimension, ".");
    std::vector<Nodes> sizes;
    for (std::size_t block = 0; block < static_cast<std::size_t>(blocks); ++block) {
      Nodes nodes = {1, 1, 1};
      for (std::size_t axis = 0; axis < dimensions_; ++axis) {
        nodes[axis] = records_.number<std::int32_t>(record, block * dimensions_ + axis);
        if (nodes[axis] < 1)
          file_.refuse_byte(record.begin, "block ", block + 1, " has ", nodes[axis], " nodes, expected 1 or more.");
      }
      sizes.push_back(nodes);
    }
    return sizes;
  }

  MeshPoints coordinates(const Nodes& nodes) {
    const Records::Record record = records_.next("the coordinates of a block");
    const std::uint64_t size = record.bytes.size();
    std::uint64_t count = 1;
    for (const std::int64_t n : nodes)  // more nodes than bytes are an error in any case
      count = count > size ? count : count * static_cast<std::uint64_t>(n);
    const std::uint64_t numbers = count * dimensions_, iblank = count * sizeof(std::int32_t);
    for (const std::uint64_t rest : {std::uint64_t{0}, iblank}) {
      if (size == numbers * sizeof(double) + rest) return split<double>(record, count);
      if (size == numbers * sizeof(float) + rest) return split<float>(record, count);
    }
    file_.refuse_byte(record.begin, "the record of the coordinates of ", nodes[0], " x ", nodes[1], " x ", nodes[2],
                      " nodes has ", size, " bytes, expected ", numbers * sizeof(double), " (double) or ",
                      numbers * sizeof(float), " (float), and perhaps ", iblank, " more for iblank.");
  }

  template <class T>
  MeshPoints split(const Records::Record& record, std::size_t count) {
    MeshPoints coordinates;
    std::vector<double>* const axes[] = {&coordinates.x, &coordinates.y, &coordinates.z};
    for (std::size_t axis = 0; axis < dimensions_; ++axis)
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(records_.number<T>(record, axis * count + i));
        if (!std::isfinite(value))
          file_.refuse_byte(record.begin + sizeof(std::int32_t) + (axis * count + i) * sizeof(T), "a coordinate is ",
                            value, ", expected a finite one.");
        axes[axis]->push_back(value);
      }
    coordinates.z.resize(count);
    return coordinates;
  }

  FileCursor& file_;
  Records records_;
  std::size_t dimensions_ = 0;
};

/// Returns true if the file begins with a valid first record of Plot3D: the number of blocks, or the numbers of nodes
/// of one block. If the file is cut short within this record, only the first mark is tested.
bool has_records(FileCursor& file, bool swapped) {
  file.seek(0);
  const auto mark = file.raw<std::int32_t>("the mark of the first record", swapped);
  if (mark != 4 && mark != 8 && mark != 12) return false;
  const auto end = sizeof(std::int32_t) + static_cast<std::size_t>(mark);
  if (end + sizeof(std::int32_t) > file.content().size()) return true;
  file.seek(end);
  return file.raw<std::int32_t>("the mark after the first record", swapped) == mark;
}

// Raw -----------------------------------------------------------------------------------------------------------------

/// Raw numbers as C programs write them: integers of 32 bits, then coordinates, without separators.
class Raw {
 public:
  Raw(FileCursor& file, bool swapped) : file_(file), swapped_(swapped) {}

  /// Returns true if the counts at the beginning match the file's size, after `use` received the blocks.
  bool read(const Use& use) {
    for (const Layout& layout : layouts) {
      const std::vector<Nodes> blocks = header_of(first_numbers(), layout);
      if (blocks.empty()) continue;
      const auto bytes_with = [&](std::size_t of_number) {
        return 4 * static_cast<double>(header_size(layout, blocks.size())) +
               all_nodes(blocks) * static_cast<double>(layout.dimensions * of_number + (layout.has_iblank ? 4 : 0));
      };
      const auto size = static_cast<double>(file_.content().size());
      if (size != bytes_with(sizeof(double)) && size != bytes_with(sizeof(float))) continue;
      file_.seek(4 * header_size(layout, blocks.size()));
      for (const Nodes& block : blocks)
        use(block, size == bytes_with(sizeof(double)) ? coordinates<double>(block, layout)
                                                      : coordinates<float>(block, layout));
      return true;
    }
    return false;
  }

 private:
  /// Numbers at the beginning of the file that may be counts.
  std::vector<double> first_numbers() {
    const std::size_t available = file_.content().size() / sizeof(std::int32_t);
    std::vector<double> numbers;
    file_.seek(0);
    while (numbers.size() < available &&
           (numbers.size() < 3 || numbers.size() <= 3 * static_cast<std::size_t>(count_of(numbers[0]))))
      numbers.push_back(file_.raw<std::int32_t>("a count", swapped_));
    return numbers;
  }

  template <class T>
  MeshPoints coordinates(const Nodes& nodes, const Layout& layout) {
    MeshPoints coordinates;
    const auto count = static_cast<std::size_t>(product(nodes));
    std::vector<double>* const axes[] = {&coordinates.x, &coordinates.y, &coordinates.z};
    for (std::size_t axis = 0; axis < layout.dimensions; ++axis) {
      axes[axis]->reserve(count);
      for (std::size_t i = 0; i < count; ++i) axes[axis]->push_back(file_.raw_coordinate<T>(swapped_));
    }
    coordinates.z.resize(count);
    if (layout.has_iblank) file_.bytes(count * sizeof(std::int32_t), "iblank");
    return coordinates;
  }

  FileCursor& file_;
  bool swapped_;
};

}  // namespace

void read_plot3d_blocks(FileCursor& file, const Use& use) {
  if (file.content().find('\0') == std::string::npos) return read_text(file, use);
  for (const bool swapped : {false, true})
    if (has_records(file, swapped)) {
      file.seek(0);
      return Unformatted(file, swapped).read(use);
    }
  for (const bool swapped : {false, true})
    if (Raw(file, swapped).read(use)) return;
  const auto first = [&](bool swapped) {
    file.seek(0);
    return file.raw<std::int32_t>("a count", swapped);
  };
  file.refuse_byte(0, "neither text nor Fortran's unformatted records, whose first mark would be 4, 8 or 12, nor raw ",
                   "numbers, whose counts would give ", file.content().size(), " bytes: it begins with ", first(false),
                   " or, in the other order of bytes, ", first(true), ".");
}

}  // namespace shoal::io
