// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/openfoam/collated_folder.hpp"

#include "core/text.hpp"

namespace shoal::io {

namespace {

constexpr std::string_view collated_classes[] = {"decomposedBlockData"};

/// Takes the digits at the begin of a text; -1 if there are none, or too many.
std::int64_t take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t number = -1;
  if (!read_number(text.substr(0, end), number)) return -1;
  text.remove_prefix(end);
  return number;
}

bool take_text(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

}  // namespace

std::optional<CollatedName> collated_name(const std::string& folder) {
  std::string_view rest = folder;
  if (!take_text(rest, "processors")) return {};
  CollatedName name;
  name.processors = take_number(rest);
  name.last = name.processors - 1;
  if (take_text(rest, "_")) {
    name.first = take_number(rest);
    name.last = take_text(rest, "-") ? take_number(rest) : -1;
  }
  const bool is_range = name.first >= 0 && name.first <= name.last && name.last < name.processors;
  if (!rest.empty() || !is_range) return {};
  return name;
}

FoamFile CollatedFolder::open(const std::string& file, std::size_t block, std::span<const std::string_view> classes) {
  return {blocks(file, classes).at(block), classes};
}

const std::vector<FoamBlock>& CollatedFolder::blocks(const std::string& file,
                                                     std::span<const std::string_view> classes) {
  const auto known = blocks_.find(file);
  if (known != blocks_.end()) return known->second;
  FoamFile container(folder_ / file, collated_classes);
  std::vector<FoamBlock> blocks;
  while (!container.at_end()) {
    FoamBlock& block = blocks.emplace_back();
    block.name = text(container.name(), ", processor ", name_.first + static_cast<std::int64_t>(blocks.size()) - 1);
    block.content = container.raw_bytes("a block");
    if (blocks.size() > 1) {
      block.header = blocks.front().header;
      continue;
    }
    block.header.is_compressed = container.header().is_compressed;
    block.header = FoamFile(block, classes).header();
  }
  require(static_cast<std::int64_t>(blocks.size()) == name_.count(), container.name(), ": it has ", blocks.size(),
          " blocks, expected ", name_.count(), ", one for each processor. Decompose the case again.");
  return blocks_.emplace(file, std::move(blocks)).first->second;
}

}  // namespace shoal::io
