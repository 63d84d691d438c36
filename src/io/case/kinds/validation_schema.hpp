// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/validation.hpp>

#include "io/case/case_schema.hpp"

namespace shoal::io {

/// What a file of kind = "validation" may say, in the order in which it is written.
struct ValidationSchema {
  Section<validation::Plan> top;
  Section<validation::Run> run;
  Section<validation::Check> check;

  /// Calls `visit` with each section.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(top), visit(run), visit(check);
  }
};

const ValidationSchema& validation_schema();

}  // namespace shoal::io
