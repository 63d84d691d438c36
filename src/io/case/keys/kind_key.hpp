// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include "io/case/document/case_document.hpp"

namespace shoal::io {

/// Returns the entry of case_kinds() that the key `kind` names.
/// @throws Error  no such key, or an unknown name
const CaseKind& case_kind(const Document& document);

/// Requires that a document is of the expected kind.
/// @throws Error  the document is of another kind
void require_kind(const Document& document, std::string_view expected);

/// Returns the text of a case file.
/// @throws Error  the path is a folder, or the file cannot be read
std::string case_file_content(const std::filesystem::path& file);

/// Returns the absolute path of a file that a case names relative to its own folder.
std::filesystem::path beside_case_file(std::string_view case_file, const std::filesystem::path& path);

}  // namespace shoal::io
