// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "io/mesh/openfoam/foam_file.hpp"

namespace shoal::io {

/// Numbers of processors in the name of a collated folder: processors4 has those from 0 to 3, processors4_2-3 two of them.
struct CollatedName {
  std::int64_t processors = 0, first = 0, last = 0;

  std::int64_t count() const { return last - first + 1; }
};

/// Numbers of processors in this name of a folder; nothing if it is not that of a collated folder.
std::optional<CollatedName> collated_name(const std::string& folder);

/// Folder in which each file has one block for each processor of a decomposed case: class decomposedBlockData. A block is
/// the file of that processor; only the first has a header, which is that of all.
class CollatedFolder {
 public:
  CollatedFolder(std::filesystem::path folder, const CollatedName& name) : folder_(std::move(folder)), name_(name) {}

  const std::filesystem::path& folder() const { return folder_; }
  const CollatedName& name() const { return name_; }

  /// Opens the block of a file. The file is read when the first of its blocks is opened.
  /// @param block  number of the processor, from the first one of this folder
  /// @throws Error  the errors of FoamFile; another number of blocks than that of processors; a block that is cut short
  FoamFile open(const std::string& file, std::size_t block, std::span<const std::string_view> classes);

 private:
  const std::vector<FoamBlock>& blocks(const std::string& file, std::span<const std::string_view> classes);

  std::filesystem::path folder_;
  CollatedName name_;
  std::map<std::string, std::vector<FoamBlock>> blocks_;
};

}  // namespace shoal::io
