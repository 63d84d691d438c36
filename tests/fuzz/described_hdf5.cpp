// SPDX-License-Identifier: Apache-2.0
#include "described_hdf5.hpp"

#include <shoal/error.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"

namespace shoal::fuzz {

namespace {

using io::hdf5::Handle;
using Extent = std::vector<hsize_t>;

/// Creates a file in memory.
Handle create_in_memory() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access properties");
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_fapl_core(access, 1 << 20, false);
  return {H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "creating a file in memory"};
}

/// Bytes of a file in memory, which are valid until it changes or closes.
std::span<const char> image_of(const Handle& file) {
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  void* handle = nullptr;
  H5Fget_vfd_handle(file, H5P_DEFAULT, &handle);
  if (size < 0 || handle == nullptr) throw Error("a file in memory cannot be read.");
  return {*static_cast<const char* const*>(handle), static_cast<std::size_t>(size)};
}

/// Choices that an input makes, one after the other; 0 when it ends.
class Choices {
 public:
  explicit Choices(Bytes input) : input_(input) {}

  std::uint8_t byte() {
    if (input_.empty()) return 0;
    const std::uint8_t first = input_[0];
    input_ = input_.subspan(1);
    return first;
  }
  /// Choice of a number below `count`; 0, the usual one, in most cases.
  std::size_t unusual(std::size_t count) {
    const std::uint8_t choice = byte();
    return choice < 192 ? 0 : choice % count;
  }
  /// Size at the edge of what a type holds, or any other.
  std::uint64_t number() {
    constexpr std::uint64_t edges[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       512,
                                       65'536,
                                       1ULL << 31,
                                       (1ULL << 32) - 1,
                                       3'000'000'000,
                                       1ULL << 40,
                                       1ULL << 61,
                                       1ULL << 62,
                                       (1ULL << 63) - 1,
                                       1ULL << 63,
                                       6'148'914'691'236'517'206,
                                       ~0ULL};
    const std::uint8_t choice = byte();
    if (choice < std::size(edges)) return edges[choice];
    if (choice < 128) return choice;
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8 | byte();
    return number;
  }

 private:
  Bytes input_;
};

Handle copied(hid_t type) { return {H5Tcopy(type), H5Tclose, "type"}; }

Handle text_type(std::size_t size) {
  Handle type = copied(H5T_C_S1);
  io::hdf5::check(H5Tset_size(type, size), "type");
  return type;
}

/// Type of values: the usual one, or one that a reader does not expect.
Handle choose_type(Choices& choices, hid_t usual) {
  switch (choices.unusual(14)) {
    case 1:
      return copied(H5T_STD_I64BE);
    case 2:
      return copied(H5T_NATIVE_UINT64);
    case 3:
      return copied(H5T_IEEE_F32BE);
    case 4:
      return copied(H5T_NATIVE_LDOUBLE);
    case 5:
      return text_type(1 + choices.byte());
    case 6:
      return text_type(H5T_VARIABLE);
    case 7: {
      Handle type(H5Tcreate(H5T_COMPOUND, 16), H5Tclose, "type");
      H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
      return type;
    }
    case 8: {
      const hsize_t size = 1 + choices.byte();
      return {H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &size), H5Tclose, "type"};
    }
    case 9:
      return {H5Tvlen_create(H5T_NATIVE_DOUBLE), H5Tclose, "type"};
    case 10: {
      Handle type = copied(H5T_NATIVE_INT64);
      H5Tset_size(type, std::size_t{1} << (choices.byte() % 16));
      return type;
    }
    case 11: {
      Handle type = copied(H5T_NATIVE_INT32);
      H5Tset_precision(type, 1 + choices.byte() % 32);
      H5Tset_offset(type, choices.byte() % 32);
      return type;
    }
    case 12:
      return copied(H5T_STD_REF_OBJ);
    case 13:
      return copied(H5T_NATIVE_B32);
    default:
      return copied(usual);
  }
}

/// Extent of a dataset: the usual one, or one that a reader does not expect; empty for a single value.
Extent choose_extent(Choices& choices, const Extent& usual) {
  if (choices.unusual(2) == 0) return usual;
  Extent extent(choices.byte() % 5);
  for (hsize_t& size : extent) size = std::min<std::uint64_t>(choices.number(), H5S_UNLIMITED - 1);
  return extent;
}

Handle space_of(const Extent& extent, bool grows) {
  const Extent most(extent.size(), H5S_UNLIMITED);
  if (extent.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "space"};
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), grows ? most.data() : nullptr), H5Sclose,
          "space"};
}

void choose_filters(Choices& choices, hid_t settings) {
  for (std::size_t i = choices.unusual(4); i > 0; --i) switch (choices.byte() % 5) {
      case 0:
        H5Pset_shuffle(settings);
        break;
      case 1:
        H5Pset_fletcher32(settings);
        break;
      case 2:
        H5Pset_scaleoffset(settings, H5Z_SO_INT, 0);
        break;
      case 3:
        H5Pset_nbit(settings);
        break;
      default:
        H5Pset_deflate(settings, 9);
    }
}

/// Creation properties of a dataset: chunks, filters and storage.
Handle choose_storage(Choices& choices, const Extent& extent, hid_t space) {
  Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "settings");
  switch (choices.unusual(4)) {
    case 1:
      H5Pset_external(settings, "/etc/hostname", 0, H5F_UNLIMITED);
      break;
    case 2:
      H5Pset_virtual(settings, space, choices.byte() % 2 ? "." : "/etc/hostname", "VTKHDF/Points", space);
      break;
    case 3: {
      Extent chunk = extent;
      for (hsize_t& size : chunk) size = std::clamp<hsize_t>(choices.number(), 1, 0xffffffff);
      if (!chunk.empty()) H5Pset_chunk(settings, static_cast<int>(chunk.size()), chunk.data());
      choose_filters(choices, settings);
      break;
    }
    default:
      break;
  }
  return settings;
}

/// Largest attribute in bytes that HDF5 writes; beyond it HDF5 1.10 crashes instead of refusing.
constexpr std::size_t largest_attribute = 60'000;

hsize_t count_of(const Extent& extent) {
  constexpr hsize_t many = 1 << 16;
  hsize_t count = 1;
  for (const hsize_t size : extent) count = size > many ? many + 1 : std::min(many + 1, count * size);
  return count;
}

/// Returns true if a dataset has a filter with which HDF5 1.10 writes beyond its memory for types such as these.
bool has_lossy_filter(hid_t settings) {
  return H5Pall_filters_avail(settings) < 0 ||
         H5Pget_filter_by_id2(settings, H5Z_FILTER_NBIT, nullptr, nullptr, nullptr, 0, nullptr, nullptr) >= 0 ||
         H5Pget_filter_by_id2(settings, H5Z_FILTER_SCALEOFFSET, nullptr, nullptr, nullptr, 0, nullptr, nullptr) >= 0;
}

/// Returns true if a chunk has more values than are written: HDF5 would allocate whole chunks.
bool has_large_chunks(hid_t settings) {
  if (H5Pget_layout(settings) != H5D_CHUNKED) return false;
  Extent chunk(H5S_MAX_RANK);
  chunk.resize(static_cast<std::size_t>(std::max(0, H5Pget_chunk(settings, H5S_MAX_RANK, chunk.data()))));
  return count_of(chunk) > 1 << 16;
}

/// File in memory that grows by what an input describes.
class Description {
 public:
  explicit Description(Bytes input) : choices_(input) {}

  void add_group(const char* path) {
    if (choices_.unusual(8) == 0)
      attempt([&] { io::hdf5::create_group(file_, path); });
    else
      add_link(path);
  }

  /// Adds an attribute of the group `path`. A value that is not numbers is 0.
  void add_attribute(const char* path, const char* name, hid_t usual, std::int64_t value) {
    attempt([&] {
      const Handle group(H5Oopen(file_, path, H5P_DEFAULT), H5Oclose, "group");
      const Handle type = choose_type(choices_, usual);
      const Extent extent = choose_extent(choices_, {});
      const Handle space =
          choices_.unusual(5) == 1 ? Handle(H5Screate(H5S_NULL), H5Sclose, "space") : space_of(extent, false);
      if (count_of(extent) * H5Tget_size(type) > largest_attribute) return;
      const Handle attribute(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "attribute");
      if (!H5Tequal(type, usual)) return;
      std::vector<std::int64_t> values(count_of(extent), choices_.unusual(2) ? std::int64_t(choices_.number()) : value);
      std::vector<double> real(values.begin(), values.end());
      const bool is_real = H5Tget_class(type) == H5T_FLOAT;
      H5Awrite(attribute, is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
               is_real ? static_cast<void*>(real.data()) : static_cast<void*>(values.data()));
    });
  }

  void add_text(const char* path, const char* name, const char* usual) {
    attempt([&] {
      const Handle group(H5Oopen(file_, path, H5P_DEFAULT), H5Oclose, "group");
      const std::size_t choice = choices_.unusual(5);
      if (choice == 0) return io::hdf5::write_text_attribute(group, name, usual);
      const bool varies = choice < 3;
      const Handle type = varies ? text_type(H5T_VARIABLE) : text_type(1 + 97U * choices_.byte());
      const hsize_t count = choice % 2 ? 1 + choices_.byte() : 1;
      if (count * H5Tget_size(type) > largest_attribute) return;
      const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "space");
      const Handle attribute(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "attribute");
      const std::vector<const char*> texts(count, usual);
      const std::string bytes(count * H5Tget_size(type), 'x');
      H5Awrite(attribute, type, varies ? static_cast<const void*>(texts.data()) : bytes.data());
    });
  }

  /// Adds a dataset whose values are small numbers, unless the input says otherwise.
  void add_dataset(const std::string& path, hid_t usual, const Extent& usual_extent) {
    if (choices_.unusual(8) == 1) return add_link(path.c_str());
    attempt([&] {
      const Handle type = choose_type(choices_, usual);
      const Extent extent = choose_extent(choices_, usual_extent);
      const bool grows = choices_.unusual(2) == 1;
      const Handle space = space_of(extent, grows);
      const Handle settings = choose_storage(choices_, extent, space);
      const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "links");
      H5Pset_create_intermediate_group(links, 1);
      const Handle dataset(H5Dcreate2(file_, path.c_str(), type, space, links, settings, H5P_DEFAULT), H5Dclose, path);
      const hsize_t count = count_of(extent);
      const H5T_class_t kind = H5Tget_class(type);
      if (count > 1 << 16 || (kind != H5T_INTEGER && kind != H5T_FLOAT)) return;
      if (H5Pget_external_count(settings) > 0 || H5Pget_layout(settings) == H5D_VIRTUAL) return;
      if (has_lossy_filter(settings) || has_large_chunks(settings)) return;
      std::vector<double> values(count);
      for (double& value : values)
        value = choices_.unusual(2) ? static_cast<double>(choices_.number()) : default_value_;
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    });
  }

  /// Sets the value that the next datasets have unless the input says otherwise.
  void set_default(double value) { default_value_ = value; }

  std::span<const char> image() { return image_of(file_); }

 private:
  /// HDF5 refuses many descriptions. What it refuses is left out.
  template <class Call>
  void attempt(const Call& call) const {
    try {
      call();
    } catch (const Error&) {
    }
  }

  void add_link(const char* path) {
    switch (choices_.byte() % 4) {
      case 0:
        H5Lcreate_soft(path, file_, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 1:
        H5Lcreate_external("/etc/hostname", "a", file_, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 2:
        H5Lcreate_hard(file_, "/", file_, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
      default:
        H5Lcreate_soft("nowhere", file_, path, H5P_DEFAULT, H5P_DEFAULT);
    }
  }

  io::hdf5::Quiet quiet_;
  Choices choices_;
  Handle file_ = create_in_memory();
  double default_value_ = 0;
};

void write_image(const std::filesystem::path& file, std::span<const char> image) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(image.data(), static_cast<std::streamsize>(image.size()));
}

}  // namespace

void write_described_vtkhdf(const std::filesystem::path& file, Bytes input) {
  constexpr hsize_t points = 7;
  Description description(input);
  description.add_group("VTKHDF");
  description.add_text("VTKHDF", "Type", "PolyData");
  if (input.size() % 2) {
    description.add_group("VTKHDF/Steps");
    description.add_attribute("VTKHDF/Steps", "NSteps", H5T_NATIVE_INT64, 1);
    for (const char* name : {"PartOffsets", "PointOffsets", "PointDataOffsets/mass"})
      description.add_dataset("VTKHDF/Steps/" + std::string(name), H5T_NATIVE_INT64, {1});
    description.set_default(1);
    description.add_dataset("VTKHDF/Steps/NumberOfParts", H5T_NATIVE_INT64, {1});
    description.add_dataset("VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, {1});
  }
  description.set_default(points);
  description.add_dataset("VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, {1});
  description.add_dataset("VTKHDF/Points", H5T_NATIVE_FLOAT, {points, 3});
  description.add_dataset("VTKHDF/PointData/mass", H5T_NATIVE_DOUBLE, {points});
  description.add_dataset("VTKHDF/PointData/velocity", H5T_NATIVE_FLOAT, {points, 3});
  write_image(file, description.image());
}

void write_described_restart(const std::filesystem::path& file, Bytes input) {
  constexpr hsize_t particles = 5;
  Description description(input);
  description.add_attribute("/", "format_version", H5T_NATIVE_INT64, 10);
  for (const char* name : {"rigid_bodies", "absorption", "particles_added", "particles_removed"})
    description.add_attribute("/", name, H5T_NATIVE_INT64, 0);
  description.add_text("/", "shoal_version", "1.0.0");
  for (const char* name : {"time", "dt", "next_dt", "mass_added"})
    description.add_attribute("/", name, H5T_NATIVE_DOUBLE, 0);
  for (const char* name : {"step", "particles", "lost"}) description.add_attribute("/", name, H5T_NATIVE_INT64, 0);
  description.add_dataset("id", H5T_NATIVE_INT64, {particles});
  description.add_dataset("tag", H5T_NATIVE_UINT8, {particles});
  for (const std::string axis : {"x", "y", "z"}) {
    description.add_dataset("coordinate_" + axis, H5T_NATIVE_INT64, {particles});
    description.add_dataset("velocity_" + axis, H5T_NATIVE_FLOAT, {particles});
    description.add_dataset("earlier_velocity_" + axis, H5T_NATIVE_FLOAT, {0});
  }
  for (const char* name : {"density_deviation", "stress", "energy"})
    description.add_dataset(name, H5T_NATIVE_FLOAT, {particles});
  for (const char* name :
       {"smoothing_length", "sound_speed", "viscosity", "earlier_density_deviation", "earlier_energy"})
    description.add_dataset(name, H5T_NATIVE_FLOAT, {0});
  description.set_default('1');
  for (const char* name : {"case", "outputs"}) description.add_dataset(name, H5T_NATIVE_UINT8, {8});
  io::write_with_checksum(file, description.image());
}

void write_described_distribution(const std::filesystem::path& file, Bytes input) {
  constexpr hsize_t nodes = 8;
  Description description(input);
  description.add_dataset("f", H5T_NATIVE_DOUBLE, {nodes, nodes, nodes});
  write_image(file, description.image());
}

}  // namespace shoal::fuzz
