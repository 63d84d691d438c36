// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cgns/cgns_lists.hpp"

#include <cgns_io.h>
#include <cgnslib.h>

#include <array>
#include <cstring>
#include <optional>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Tree of nodes of a CGNS file, below the level of the library that gives them a meaning.
class NodeFile {
 public:
  NodeFile(const std::filesystem::path& file, std::int64_t most_items) : name_(file.string()), most_items_(most_items) {
    check(cgio_open_file(name_.c_str(), CGIO_MODE_READ, CGIO_FILE_NONE, &file_), "opening");
  }
  ~NodeFile() { cgio_close_file(file_); }
  NodeFile(const NodeFile&) = delete;
  NodeFile& operator=(const NodeFile&) = delete;

  const std::string& name() const { return name_; }
  std::int64_t most_items() const { return most_items_; }

  double root() const {
    double id = 0;
    check(cgio_get_root_id(file_, &id), "reading the root");
    return id;
  }
  std::vector<double> children(double node, const char* label) const {
    int count = 0, found = 0;
    check(cgio_number_children(file_, node, &count), "counting nodes");
    std::vector<double> ids(static_cast<std::size_t>(count)), labeled;
    if (count > 0) check(cgio_children_ids(file_, node, 1, count, &found, ids.data()), "reading nodes");
    ids.resize(static_cast<std::size_t>(found));
    for (const double id : ids) {
      std::array<char, CGIO_MAX_LABEL_LENGTH + 1> text{};
      check(cgio_get_label(file_, id, text.data()), "reading a label");
      if (std::strcmp(text.data(), label) == 0) labeled.push_back(id);
    }
    return labeled;
  }
  std::string name_of(double node) const {
    std::array<char, CGIO_MAX_NAME_LENGTH + 1> text{};
    check(cgio_get_name(file_, node, text.data()), "reading a name");
    return text.data();
  }
  std::optional<double> child(double node, const char* name) const {
    double id = 0;
    if (cgio_get_node_id(file_, node, name, &id) != CG_OK) return {};
    return id;
  }
  std::string type_of(double node) const {
    std::array<char, CGIO_MAX_DATATYPE_LENGTH + 1> type{};
    check(cgio_get_data_type(file_, node, type.data()), "reading a type");
    return type.data();
  }
  std::vector<std::int64_t> integers(double node, const std::string& place) const {
    const std::string type = type_of(node);
    require(type == "I4" || type == "I8", name_, ": ", place, " has numbers of type ", type, ", expected I4 or I8.");
    if (type == "I8") return values<std::int64_t>(node, "I8", place);
    const std::vector<std::int32_t> numbers = values<std::int32_t>(node, "I4", place);
    return {numbers.begin(), numbers.end()};
  }
  /// Version of the CGNS standard, such as 3.4.
  double version() const {
    const std::optional<double> node = child(root(), "CGNSLibraryVersion");
    require(node.has_value() && type_of(*node) == "R4", name_, ": it has no CGNSLibraryVersion, expected one number.");
    return static_cast<double>(values<float>(*node, "R4", "CGNSLibraryVersion").front());
  }

 private:
  void check(int status, const char* what) const {
    if (status == CG_OK) return;
    std::array<char, CGIO_MAX_ERROR_LENGTH + 1> message{};
    cgio_error_message(message.data());
    throw Error(text(name_, ": ", what, " failed: ", message.data(), "."));
  }
  /// Values of an array, read in the type in which the file has them.
  template <class T>
  std::vector<T> values(double node, const char* type, const std::string& place) const {
    int dimensions = 0;
    std::array<cgsize_t, CGIO_MAX_DIMENSIONS> lengths{};
    check(cgio_get_dimensions(file_, node, &dimensions, lengths.data()), "reading the size of an array");
    std::int64_t count = 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      const auto length = static_cast<std::int64_t>(lengths[static_cast<std::size_t>(axis)]);
      require(length > 0 && length <= most_items_ / count, name_, ": ", place, " has a length of ", length,
              ", expected 1 to ", most_items_ / count, " in a file of this size. It is damaged.");
      count *= length;
    }
    std::vector<T> numbers(static_cast<std::size_t>(count));
    check(cgio_read_all_data_type(file_, node, type, numbers.data()), "reading an array");
    return numbers;
  }

  std::string name_;
  std::int64_t most_items_;
  int file_ = 0;
};

/// A section, as the reader of its lists sees it.
struct Section {
  const NodeFile& file;
  double node;
  std::string place;  ///< "section `faces`"
  CGNS_ENUMT(ElementType_t) type;
  std::int64_t elements;

  std::vector<std::int64_t> array(double id, const char* name) const {
    return file.integers(id, text(name, " of ", place));
  }
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(text(file.name(), ": ", place, parts...));
  }
};

/// Number of entries of an element whose entries begin with `first`, with the count or type; 0 if that is no such number.
std::int64_t length_of(const Section& section, std::int64_t first) {
  if (section.type != CGNS_ENUMV(MIXED)) return first >= 0 ? first + 1 : 0;
  int corners = 0;
  const bool is_type = first > 0 && first < NofValidElementTypes &&
                       cg_npe(static_cast<CGNS_ENUMT(ElementType_t)>(first), &corners) == CG_OK;
  return is_type && corners > 0 ? corners + 1 : 0;
}

/// Finds the offsets of a section in which the length or type of each element precedes it. Removes the lengths.
void find_offsets(const Section& section, CgnsLists& lists) {
  const std::vector<std::int64_t> stored = std::move(lists.entries);
  const auto size = static_cast<std::int64_t>(stored.size());
  const bool has_lengths = section.type != CGNS_ENUMV(MIXED);
  lists.entries.clear();
  lists.start = {0};
  std::int64_t next = 0;
  for (std::int64_t element = 0; element < section.elements; ++element) {
    if (next >= size) section.refuse(" ends after ", element, " of ", section.elements, " elements.");
    const std::int64_t first = stored[static_cast<std::size_t>(next)], length = length_of(section, first);
    if (length == 0 || length > size - next)
      section.refuse(": element ", element + 1, " begins with ", first, ", expected ",
                     has_lengths ? "its number of entries" : "its type", ", of which ", size - next - 1, " follow.");
    lists.entries.insert(lists.entries.end(), stored.begin() + next + (has_lengths ? 1 : 0),
                         stored.begin() + next + length);
    lists.start.push_back(static_cast<std::int64_t>(lists.entries.size()));
    next += length;
  }
  if (next != size) section.refuse(" has ", size - next, " entries after its last element, expected none.");
}

void require_offsets(const Section& section, const CgnsLists& lists) {
  const auto size = static_cast<std::int64_t>(lists.entries.size());
  const auto count = static_cast<std::int64_t>(lists.start.size());
  if (count != section.elements + 1)
    section.refuse(" has ", count, " offsets of ", section.elements, " elements, expected ", section.elements + 1, ".");
  if (lists.start.front() != 0) section.refuse(": its first offset is ", lists.start.front(), ", expected 0.");
  for (std::size_t i = 0; i + 1 < lists.start.size(); ++i)
    if (lists.start[i + 1] < lists.start[i])
      section.refuse(": offset ", lists.start[i + 1], " follows ", lists.start[i], ", expected ascending ones.");
  if (lists.start.back() != size)
    section.refuse(": its offsets end at ", lists.start.back(), ", and it has ", size, " entries.");
}

CgnsLists read_lists(const Section& section) {
  CgnsLists lists;
  const std::optional<double> entries = section.file.child(section.node, "ElementConnectivity");
  const std::optional<double> start = section.file.child(section.node, "ElementStartOffset");
  const std::optional<double> parents = section.file.child(section.node, "ParentElements");
  if (!entries) section.refuse(" has no ElementConnectivity.");
  lists.entries = section.array(*entries, "ElementConnectivity");
  constexpr double first_version_with_offsets = 3.35;  // 3.4, which is not a float
  if (start) {
    lists.start = section.array(*start, "ElementStartOffset");
    require_offsets(section, lists);
  } else if (section.file.version() < first_version_with_offsets) {
    find_offsets(section, lists);
  } else {
    section.refuse(" has no ElementStartOffset, expected one in a file of CGNS 3.4 or newer. Write the file again.");
  }
  if (parents) lists.parents = section.array(*parents, "ParentElements");
  const auto sides = static_cast<std::int64_t>(lists.parents.size());
  if (parents && sides != 2 * section.elements)
    section.refuse(" has ", sides, " parents of ", section.elements, " elements, expected ", 2 * section.elements, ".");
  return lists;
}

/// Adds the lists of a section, if it is one of lists.
void add_section(const NodeFile& file, double node, const std::string& zone, std::map<std::string, CgnsLists>& lists) {
  const std::string name = file.name_of(node), place = "section `" + name + "`";
  const std::vector<std::int64_t> type = file.integers(node, place);
  const std::optional<double> range = file.child(node, "ElementRange");
  require(range.has_value(), file.name(), ": ", place, " has no ElementRange.");
  const std::vector<std::int64_t> numbers = file.integers(*range, "ElementRange of " + place);
  require(numbers.size() == 2 && numbers[0] >= 1 && numbers[1] >= numbers[0], file.name(), ": ", place,
          " has elements ", numbers[0], " to ", numbers.back(), ".");
  require(numbers[1] <= file.most_items(), file.name(), ": ", place, " has ", numbers[1],
          " elements, expected at most ", file.most_items(),
          " in a file of this size. It is damaged, or its arrays are in another file: read that file.");
  require(type.front() >= 0 && type.front() < NofValidElementTypes, file.name(), ": ", place, " has elements of type ",
          type.front(), ", expected 0 to ", NofValidElementTypes - 1, ".");
  const Section section{file, node, place, static_cast<CGNS_ENUMT(ElementType_t)>(type.front()),
                        numbers[1] - numbers[0] + 1};
  if (section.type == CGNS_ENUMV(NGON_n) || section.type == CGNS_ENUMV(NFACE_n) || section.type == CGNS_ENUMV(MIXED))
    lists.emplace(zone + "/" + name, read_lists(section));
}

}  // namespace

std::map<std::string, CgnsLists> read_cgns_lists(const std::filesystem::path& path, std::int64_t most_items) {
  const NodeFile file(path, most_items);
  const int first_newer = CGNS_VERSION / 1000 + 1;
  require(file.version() < first_newer, file.name(), ": it is of version ", file.version(),
          " of CGNS, expected one before ", first_newer,
          ": that of the library with which shoal was built. Build with a newer one, or write the file in an older "
          "version.");
  std::map<std::string, CgnsLists> lists;
  for (const double base : file.children(file.root(), "CGNSBase_t"))
    for (const double zone : file.children(base, "Zone_t"))
      for (const double section : file.children(zone, "Elements_t"))
        add_section(file, section, file.name_of(base) + "/" + file.name_of(zone), lists);
  return lists;
}

}  // namespace shoal::io
