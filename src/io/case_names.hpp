// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case_document.hpp"

namespace shoal::io {

/// @throws Error  the first key or section of the file that the schema does not have, with the nearest that it has; or
///                a section of the wrong shape, such as [body] for [[body]]
void require_known_names(const Document& document);

}  // namespace shoal::io
