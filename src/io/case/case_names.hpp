// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case/case_document.hpp"
#include "io/case/case_schema.hpp"

namespace shoal::io {

/// @param sections  of the kind of case, the top of the file first
/// @throws Error  the first key or section of the file that these do not have, with the nearest that they have; or
///                a section of the wrong shape, such as [body] for [[body]]
void require_known_names(const Document& document, const std::vector<Outline>& sections);

}  // namespace shoal::io
