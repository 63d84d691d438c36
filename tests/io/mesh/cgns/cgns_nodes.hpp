// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::testing_support {

/// Writer of CGNS files without the CGNS library: a node is a group of HDF5 with a name, a label, and data.
class CgnsNodes {
 public:
  /// Begins a file of a version of CGNS, such as 3.4.
  CgnsNodes(const std::filesystem::path& path, float version) {
    order_ = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(order_, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, order_, H5P_DEFAULT);
    const hid_t root = H5Gopen2(file_, "/", H5P_DEFAULT);
    add_attributes(root, "HDF5 MotherNode", "Root Node of HDF5 File", "MT");
    add_data(root, " format", H5T_NATIVE_CHAR, "IEEE_LITTLE_32", {15});
    const std::string version_of_hdf5 = "HDF5 Version 1.10.8" + std::string(14, '\0');
    add_data(root, " hdf5version", H5T_NATIVE_CHAR, version_of_hdf5.data(), {version_of_hdf5.size()});
    H5Gclose(root);
    add("CGNSLibraryVersion", "CGNSLibraryVersion_t", "R4", H5T_NATIVE_FLOAT, &version, {1});
  }
  ~CgnsNodes() {
    H5Fclose(file_);
    H5Pclose(order_);
  }
  CgnsNodes(const CgnsNodes&) = delete;
  CgnsNodes& operator=(const CgnsNodes&) = delete;

  void node(const std::string& path, const char* label) { add(path, label, "MT", 0, nullptr, {}); }
  void text(const std::string& path, const char* label, const std::string& value) {
    add(path, label, "C1", H5T_NATIVE_CHAR, value.data(), {value.size()});
  }
  void reals(const std::string& path, const char* label, const std::vector<double>& values) {
    add(path, label, "R8", H5T_NATIVE_DOUBLE, values.data(), {values.size()});
  }
  /// @param rows  slowest index of a table, which HDF5 stores first; 1: a list
  void integers(const std::string& path, const char* label, const std::vector<int>& values, hsize_t rows = 1) {
    add(path, label, "I4", H5T_NATIVE_INT, values.data(),
        rows == 1 ? std::vector<hsize_t>{values.size()} : std::vector<hsize_t>{rows, values.size() / rows});
  }
  /// A section with the arrays that are given.
  void section(const std::string& path, int type, int first, int last, const std::vector<int>& entries,
               const std::vector<int>& start, const std::vector<int>& parents = {}) {
    integers(path, "Elements_t", {type, 0});
    integers(path + "/ElementRange", "IndexRange_t", {first, last});
    integers(path + "/ElementConnectivity", "DataArray_t", entries);
    if (!start.empty()) integers(path + "/ElementStartOffset", "DataArray_t", start);
    if (!parents.empty()) integers(path + "/ParentElements", "DataArray_t", parents, 2);
  }

 private:
  static void add_text(hid_t node, const char* name, const std::string& value, std::size_t bytes) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, bytes);
    std::string padded = value;
    padded.resize(bytes, '\0');
    const hid_t attribute = H5Acreate2(node, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, padded.data());
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }
  static void add_attributes(hid_t node, const std::string& name, const char* label, const char* type) {
    add_text(node, "name", name, 33);
    add_text(node, "label", label, 33);
    add_text(node, "type", type, 3);
  }
  static void add_data(hid_t node, const char* name, hid_t type, const void* values, std::vector<hsize_t> lengths) {
    const hid_t space = H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr);
    const hid_t data = H5Dcreate2(node, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Sclose(space);
  }
  void add(const std::string& path, const char* label, const char* type, hid_t hdf5_type, const void* values,
           const std::vector<hsize_t>& lengths) {
    const hid_t order = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t group = H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, order, H5P_DEFAULT);
    add_attributes(group, path.substr(path.rfind('/') + 1), label, type);
    const int flags = 1;
    const hsize_t one = 1;
    const hid_t space = H5Screate_simple(1, &one, nullptr);
    const hid_t attribute = H5Acreate2(group, "flags", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT, &flags);
    H5Aclose(attribute);
    H5Sclose(space);
    if (values) add_data(group, " data", hdf5_type, values, lengths);
    H5Gclose(group);
    H5Pclose(order);
  }

  hid_t file_ = 0, order_ = 0;
};

}  // namespace shoal::testing_support
