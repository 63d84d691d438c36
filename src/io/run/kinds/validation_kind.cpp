// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/validation/validation_schema.hpp"
#include "io/run/kinds/kinds.hpp"

namespace shoal::io {

const CaseKind validation_kind = {
    .name = "validation", .command = "validate", .keys = [] { return key_infos(validation_schema()); }};

}  // namespace shoal::io
