// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case/keys/case_schema.hpp"

// Shapes in case files: `sphere = { center = [0, 0], radius = 1 }`, `union = [{ box = ... }, { sphere = ... }]`.
namespace shoal::io {

/// Case-file form of a shape: its name and the keys of its table. A form without keys takes a list of shapes.
struct ShapeForm {
  sph::ShapeKind kind;
  std::string meaning;
  std::vector<Key<sph::Shape>> keys;

  std::string word() const { return std::string(to_name(kind)); }
  bool has_parts() const { return keys.empty(); }
};

/// Returns the forms of all shapes. Reading, writing and the key reference share this table.
const std::vector<ShapeForm>& shape_forms();

/// Reads the value of a form: a table with its keys, or a list of tables with one shape each.
sph::Shape read_shape(const Value& value, const ShapeForm& form);

/// Returns the value of a shape's form as TOML.
std::string shape_text(const sph::Shape& shape, int dimensions);

/// Requires exactly one of several keys.
/// @throws Error  the table has none of `words`, or several
void require_one_of(const Document& document, const toml::table& table, const std::string& path,
                    const std::vector<std::string>& words);

/// Returns the reference of the keys of all forms.
std::vector<KeyInfo> shape_key_infos();

/// Returns the names of all forms.
std::vector<std::string> shape_words();

/// Returns one key per form, for a section with a member `box` and a member `shape` for all other forms.
/// @param what  role of the shape, for the key reference: "what particles fill"
template <class T>
std::vector<Key<T>> shape_keys(const std::string& what) {
  std::vector<Key<T>> keys;
  for (const ShapeForm& form : shape_forms()) {
    const bool is_box = form.kind == sph::ShapeKind::box;
    keys.push_back({.name = form.word(),
                    .type = form.has_parts() ? "list of shapes" : "shape",
                    .unit = {},
                    .meaning = what + ": " + form.meaning,
                    .required = false,
                    .range = {},
                    .only_with = {},
                    .hint = {},
                    .read =
                        [&form, is_box](const Value& value, T& section) {
                          sph::Shape shape = read_shape(value, form);
                          if (is_box)
                            section.box = shape.box;
                          else
                            section.shape = std::move(shape);
                        },
                    .write = [&form](const T& section, int dimensions) -> std::string {
                      sph::Shape box;
                      box.box = section.box;
                      const sph::Shape& shape = section.shape ? *section.shape : box;
                      const bool given = section.shape || section.box.from != section.box.to;
                      return given && shape.kind == form.kind ? shape_text(shape, dimensions) : std::string();
                    }});
  }
  return keys;
}

/// Calls `visit` with each surface in a shape and its parts.
template <class Visit>
void for_each_surface(sph::Shape& shape, const Visit& visit) {
  if (shape.kind == sph::ShapeKind::surface) visit(shape);
  for (sph::Shape& part : shape.parts) for_each_surface(part, visit);
}

}  // namespace shoal::io
