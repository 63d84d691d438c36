// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case/document/case_document.hpp"
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Requires that every key and section of a file belongs to its kind of case.
/// @param sections  sections of the kind of case, the top of the file first
/// @throws Error  the first unknown key or section of the file, with its new or nearest name; or a section in the wrong
///                TOML form, such as [body] for [[body]]
void require_known_names(const Document& document, std::string_view kind, const std::vector<Outline>& sections);

}  // namespace shoal::io
