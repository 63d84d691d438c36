// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/hdf5.hpp"

#include <algorithm>
#include <limits>

#include "core/text.hpp"
#include "io/formats/binary/hdf5_checks.hpp"
#include "io/formats/binary/journaled_file.hpp"

namespace shoal::io::hdf5 {

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

std::string reason() {
  std::string message;
  const auto take_first = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
    auto& text = *static_cast<std::string*>(into);
    if (text.empty() && error->desc) text = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &message);
  const std::string_view marker = "error message = '";
  if (const std::size_t start = message.find(marker); start != std::string::npos) {
    const std::size_t from = start + marker.size();
    message = message.substr(from, message.find('\'', from) - from);
  }
  return message.empty() ? "HDF5 gives no reason" : message;
}

hid_t check(hid_t result, const std::string& what) {
  if (result < 0) throw Error(text(what, " failed: ", reason(), "."));
  return result;
}

Handle::~Handle() {
  const Quiet quiet;  // callers that must detect a failure call close()
  if (id_ >= 0) closer_(id_);
}

void Handle::close(const std::string& what) {
  if (id_ < 0) return;
  const hid_t id = std::exchange(id_, -1);
  check(closer_(id), what);
}

namespace {

/// Access to files without locks, so that a viewer can read the fields while they are written. Metadata stay in memory
/// between flushes, so that the file on disk always has the state of the last flush.
Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "hdf5: file access properties");
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "hdf5: file access properties");
  H5Pset_file_locking(access, false, true);
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access, &cache), "hdf5: metadata cache");
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  check(H5Pset_mdc_config(access, &cache), "hdf5: metadata cache");
  return access;
}

Handle open_file(const std::filesystem::path& path, unsigned mode) {
  return {H5Fopen(path.c_str(), mode, file_access()), H5Fclose, path.string() + ": opening"};
}

Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, text("reading attribute ", name)};
}

/// Checks that an attribute has one value: H5Aread writes as many as the attribute has, whatever room there is.
void require_one_value(hid_t attribute, const std::string& what) {
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  require(count == 1, what, ": it has ", count, " values, expected one.");
}

/// Largest size in bytes of a text of fixed length.
constexpr std::size_t longest_text = 1 << 16;

}  // namespace

Handle create_file(const std::filesystem::path& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, file_access()), H5Fclose, path.string() + ": creating"};
}

Handle open_for_writing(const std::filesystem::path& path) { return open_file(path, H5F_ACC_RDWR); }
Handle open_for_reading(const std::filesystem::path& path) { return open_file(path, H5F_ACC_RDONLY); }

Handle create_journaled(const std::filesystem::path& path) {
  const Handle access = file_access();
  use_journal(access);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, path.string() + ": creating"};
}

Handle open_journaled(const std::filesystem::path& path) {
  complete_journal(path);
  const Handle access = file_access();
  use_journal(access);
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, path.string() + ": opening"};
}

Handle create_group(hid_t parent, const char* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, text("creating group ", name)};
}

void write_text_attribute(hid_t object, const char* name, const std::string& value) {
  const std::string what = text("writing attribute ", name);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
  check(H5Tset_size(type, std::max<std::size_t>(1, value.size())), what);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), what);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  check(H5Awrite(attribute, type, value.empty() ? "\0" : value.data()), what);
}

std::string read_text_attribute(hid_t object, const char* name) {
  const std::string what = text("reading attribute ", name);
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  require(H5Tget_class(type) == H5T_STRING, what, ": expected text.");
  require_one_value(attribute, what);
  if (H5Tis_variable_str(type) > 0) {
    char* characters = nullptr;
    check(H5Aread(attribute, type, static_cast<void*>(&characters)), what);
    std::string value = characters ? characters : "";
    H5free_memory(characters);
    return value;
  }
  const std::size_t size = H5Tget_size(type);
  require(size <= longest_text, what, ": its text has ", size, " bytes, expected at most ", longest_text, ".");
  std::string value(size, '\0');
  check(H5Aread(attribute, type, value.data()), what);
  value.resize(std::min(value.size(), value.find('\0')));
  return value;
}

void write_attribute(hid_t object, const char* name, hid_t type, const void* values, hsize_t count) {
  const std::string what = text("writing attribute ", name);
  Handle attribute;
  if (check(H5Aexists(object, name), what)) {
    attribute = open_attribute(object, name);
  } else {
    const Handle space(count ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose, what);
    attribute = Handle(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  }
  check(H5Awrite(attribute, type, values), what);
}

void read_attribute(hid_t object, const char* name, hid_t type, void* value) {
  const std::string what = text("reading attribute ", name);
  const Handle attribute = open_attribute(object, name);
  const Handle stored(H5Aget_type(attribute), H5Tclose, what);
  require_readable(stored, type, what);
  require_one_value(attribute, what);
  check(H5Aread(attribute, type, value), what);
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "listing a group");
  return names;
}

namespace {

/// Creation properties without time stamps, so that the same data give the same bytes.
Handle creation_without_times(const std::string& what) {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_obj_track_times(creation, false), what);
  return creation;
}

/// Access to a dataset. Values of a shared one are not cached: other ranks write into the same chunks.
Handle dataset_access(bool is_shared, const std::string& what) {
  Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, what);
  if (is_shared) do_not_cache(access, what);
  return access;
}

/// Creates a dataset and the groups above it.
Handle create_dataset(hid_t parent, const std::string& path, hid_t type, hid_t space, hid_t creation, hid_t access,
                      const std::string& what) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, what);
  check(H5Pset_create_intermediate_group(links, 1), what);
  return {H5Dcreate2(parent, path.c_str(), type, space, links, creation, access), H5Dclose, what};
}

}  // namespace

void write_dataset(hid_t parent, const std::string& path, hid_t type, const std::vector<hsize_t>& size,
                   const void* values) {
  const std::string what = "writing dataset " + path;
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose, what);
  const Handle dataset = create_dataset(parent, path, type, space, creation_without_times(what), H5P_DEFAULT, what);
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what);
}

Rows::Rows(hid_t parent, const std::string& path, const Shape& shape) : path_(path), columns_(shape.columns) {
  const std::string what = "creating dataset " + path;
  const std::vector<hsize_t> none = extent(0), chunk = extent(std::max<hsize_t>(1, shape.chunk_rows));
  std::vector<hsize_t> most = none;
  most[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(none.size()), none.data(), most.data()), H5Sclose, what);
  const Handle creation = creation_without_times(what);
  check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), what);
  if (shape.compression > 0) {
    check(H5Pset_shuffle(creation), what);
    check(H5Pset_deflate(creation, static_cast<unsigned>(shape.compression)), what);
  }
  if (shape.is_shared) {
    check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), what);
    check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), what);
  }
  const Handle access = dataset_access(shape.is_shared, what);
  dataset_ = create_dataset(parent, path, shape.type, space, creation, access, what);
}

Rows::Rows(hid_t parent, const std::string& path) : path_(path), dataset_(open_dataset(parent, path)) {
  const std::string what = "reading dataset " + path;
  if (is_shared()) {
    dataset_.close(what);
    dataset_ = open_dataset(parent, path, false);
  }
  const std::vector<hsize_t> size = extent_of(dataset_, what);
  require(size.size() == 1 || size.size() == 2, what, ": it has ", size.size(), " dimensions, expected 1 or 2.");
  require(size.size() == 1 || size[1] > 0, what, ": it has 0 columns, expected at least 1.");
  columns_ = size.size() == 2 ? size[1] : 0;
}

hsize_t Rows::count() const { return extent_of(dataset_, "reading dataset " + path_)[0]; }

std::vector<hsize_t> Rows::extent(hsize_t rows) const {
  return columns_ ? std::vector<hsize_t>{rows, columns_} : std::vector<hsize_t>{rows};
}

void Rows::append(const void* values, hid_t type, hsize_t rows) {
  if (rows > 0) write(values, type, grow(rows), rows);
}

hsize_t Rows::grow(hsize_t rows) {
  const hsize_t before = count();
  if (rows > 0) check(H5Dset_extent(dataset_, extent(before + rows).data()), "writing dataset " + path_);
  return before;
}

void Rows::write(const void* values, hid_t type, hsize_t first, hsize_t rows) const {
  const std::string what = "writing dataset " + path_;
  const Handle space(H5Dget_space(dataset_), H5Sclose, what);
  const Handle memory = select(space, first, rows, what);
  check(H5Dwrite(dataset_, type, memory, space, H5P_DEFAULT, values), what);
}

bool Rows::is_shared() const {
  const std::string what = "reading dataset " + path_;
  const Handle settings(H5Dget_create_plist(dataset_), H5Pclose, what);
  H5D_alloc_time_t time = H5D_ALLOC_TIME_DEFAULT;
  check(H5Pget_alloc_time(settings, &time), what);
  return time == H5D_ALLOC_TIME_EARLY;
}

/// Selects rows of the dataset's space and returns the memory space for as many rows.
Handle Rows::select(hid_t space, hsize_t first, hsize_t rows, const std::string& what) const {
  const std::vector<hsize_t> block = extent(rows);
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = first;
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), what);
  return {H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose, what};
}

void Rows::keep(hsize_t rows) { check(H5Dset_extent(dataset_, extent(rows).data()), "cutting dataset " + path_); }

void Rows::require_rows(hsize_t rows) const {
  const std::string what = "reading dataset " + path_;
  require(count() >= rows, what, ": it has ", count(), " rows, expected at least ", rows, ".");
  const Handle settings(H5Dget_create_plist(dataset_), H5Pclose, what);
  hsize_t chunk[2] = {1, 1};
  require(H5Pget_chunk(settings, 2, chunk) > 0 && chunk[0] > 0, what, ": it has no chunks.");
  const Handle space(H5Dget_space(dataset_), H5Sclose, what);
  hsize_t chunks = 0;
  check(H5Dget_num_chunks(dataset_, space, &chunks), what);
  const hsize_t needed = (rows + chunk[0] - 1) / chunk[0];
  require(chunks >= needed, what, ": it has ", chunks, " chunks, expected at least ", needed, ".");
}

hsize_t Rows::values_in(hsize_t first, hsize_t rows, hid_t type) const {
  const std::string what = "reading dataset " + path_;
  const Handle stored(H5Dget_type(dataset_), H5Tclose, what);
  require_readable(stored, type, what);
  const hsize_t row_count = count(), width = std::max<hsize_t>(1, columns_);
  require(first <= row_count && rows <= row_count - first, what, ": it has ", row_count, " rows, expected ", rows,
          " from row ", first, " on.");
  require(rows <= std::numeric_limits<hsize_t>::max() / width, what, ": ", rows, " rows of ", width,
          " columns are more than 64 bits count.");
  if (rows > 0) require_stored(dataset_, rows * width, what);
  return rows * width;
}

void Rows::read(void* values, hid_t type, hsize_t first, hsize_t rows) const {
  const std::string what = "reading dataset " + path_;
  if (rows == 0) return;
  const Handle space(H5Dget_space(dataset_), H5Sclose, what);
  const Handle memory = select(space, first, rows, what);
  check(H5Dread(dataset_, type, memory, space, H5P_DEFAULT, values), what);
}

bool Rows::is_single_precision() const {
  const Handle type(H5Dget_type(dataset_), H5Tclose, "reading dataset " + path_);
  return H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) <= sizeof(float);
}

}  // namespace shoal::io::hdf5
