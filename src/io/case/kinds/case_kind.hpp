// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_file.hpp>

#include "io/case/case_document.hpp"

namespace shoal::io {

/// The value of the key `kind`.
/// @throws Error  there is none, or it is no word that is known
CaseKind case_kind(const Document& document);

/// @throws Error  the file describes something else
void require_kind(const Document& document, CaseKind expected);

/// The text of a case file.
/// @throws Error  a folder, or it cannot be read
std::string case_file_content(const std::filesystem::path& file);

/// A path that a case names, as an absolute one: relative to the folder of the case file.
std::filesystem::path beside_case_file(std::string_view case_file, const std::filesystem::path& path);

}  // namespace shoal::io
