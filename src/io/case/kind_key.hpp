// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include "io/case/case_document.hpp"

namespace shoal::io {

/// The entry of case_kinds() that the key `kind` names.
/// @throws Error  no such key, or an unknown name
const CaseKind& case_kind(const Document& document);

/// @throws Error  the document is of another kind
void require_kind(const Document& document, std::string_view expected);

/// The text of a case file.
/// @throws Error  the path is a folder, or the file cannot be read
std::string case_file_content(const std::filesystem::path& file);

/// Absolute path of a file that a case names relative to the folder of the case file.
std::filesystem::path beside_case_file(std::string_view case_file, const std::filesystem::path& path);

}  // namespace shoal::io
