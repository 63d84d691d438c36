// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/neighbor_file.hpp>

#include "core/text.hpp"
#include "io/formats/file_kind.hpp"
#include "io/formats/whole_file.hpp"
#include "io/lists/neighbor_writers.hpp"

namespace shoal::io {

namespace {

struct Kind {
  const char* extension;
  void (*write)(const std::filesystem::path&, const NeighborFile&);
};

constexpr Kind kinds[] = {
    {".h5", write_neighbors_hdf5}, {".hdf5", write_neighbors_hdf5}, {".npz", write_neighbors_npz}};

const Kind& kind_of(const std::filesystem::path& file) { return kind_by_extension(file, kinds, "a list of neighbors"); }

void require_consistent(const NeighborFile& list) {
  for_each_array(list, [](const char* name, const auto& values, int) {
    require(values.device.kind == DeviceKind::cpu, "neighbors: ", name, " are on ", to_string(values.device),
            ", expected host memory. Copy them with to_host.");
    require(values.contiguous(), "neighbors: ", name, " have stride ", values.stride, ", expected 1.");
  });
  require(list.offsets.count > 0 && list.offsets.data[0] == 0, "neighbors: offsets do not begin with 0.");
  const std::int64_t total = list.offsets.data[list.offsets.count - 1];
  for_each_array(list, [&](std::string_view name, const auto& values, int columns) {
    if (name == "offsets") return;
    const std::int64_t expected = total * (columns ? columns : 1);
    require(values.count == expected, "neighbors: ", values.count, " ", name, ", and offsets ask for ", expected, ".");
  });
}

}  // namespace

void require_neighbor_file(const std::filesystem::path& file) {
  kind_of(file);
  require_folder_of(file);
}

void write_neighbors(const std::filesystem::path& file, const NeighborFile& list) {
  require_neighbor_file(file);
  require_consistent(list);
  try {
    write_whole(file, [&](const std::filesystem::path& partial) { kind_of(file).write(partial, list); });
  } catch (const std::exception& error) {
    throw Error(text(file.string(), ": writing the list failed: ", error.what()));
  }
}

}  // namespace shoal::io
