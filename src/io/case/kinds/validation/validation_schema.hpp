// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/validation.hpp>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Sections of a case file of kind = "validation", in the order in which they are written.
struct ValidationSchema {
  using Case = validation::Plan;
  static constexpr const char* kind = "validation";

  Section<validation::Plan> top;
  Section<validation::Run> run;
  Section<validation::Check> check;

  /// Calls `visit` with each section and the member of a case that it describes.
  template <class CaseOrConst, class Visit>
  void for_each(CaseOrConst& plan, Visit visit) const {
    visit(top, plan), visit(run, plan.runs), visit(check, plan.checks);
  }
};

const ValidationSchema& validation_schema();

}  // namespace shoal::io
