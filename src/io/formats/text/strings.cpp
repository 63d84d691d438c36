// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/strings.hpp"

#include "core/text.hpp"
#include "io/formats/text/spelling.hpp"

namespace shoal::io {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string missing_text(const std::string& file, std::string_view kind, const std::string& name,
                         const std::vector<std::string>& present) {
  const std::string start = text(file, ": there is no ", kind, " `", name, "`");
  if (present.empty()) return text(start, ". It has none.");
  const auto similar = nearest(name, present);
  const std::string question = similar ? text("; did you mean `", *similar, "`?") : ".";
  return text(start, question, " It has ", join(present), ".");
}

}  // namespace shoal::io
