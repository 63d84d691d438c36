// SPDX-License-Identifier: Apache-2.0
#include "io/case/shapes/case_shape.hpp"

#include <algorithm>

#include "io/case/document/case_document.hpp"

namespace shoal::io {

namespace {

std::vector<ShapeForm> make_forms() {
  const auto point = [](const char* name, auto member, const char* meaning) {
    return key<sph::Shape>(name, member, {.meaning = meaning, .unit = "m", .required = true});
  };
  const auto radius = [](const char* meaning) {
    return key<sph::Shape>("radius", &sph::Shape::radius,
                           {.meaning = meaning, .unit = "m", .required = true, .range = positive});
  };
  return {{sph::ShapeKind::box,
           "between two corners",
           {point(
                "from", [](auto& s) -> auto& { return s.box.from; }, "lower corner"),
            point(
                "to", [](auto& s) -> auto& { return s.box.to; }, "upper corner")}},
          {sph::ShapeKind::sphere,
           "in 2-D a circle",
           {point("center", &sph::Shape::center, "of the sphere"), radius("of the sphere")}},
          {sph::ShapeKind::cylinder,
           "in 2-D a rectangle",
           {point("from", &sph::Shape::from, "middle of one end"),
            point("to", &sph::Shape::to, "middle of the other end"), radius("about its axis")}},
          {sph::ShapeKind::half_space,
           "one side of a plane; needs an intersection",
           {point("at", &sph::Shape::at, "a point of the plane"),
            key<sph::Shape>("normal", &sph::Shape::normal, {.meaning = "out of the half-space", .required = true})}},
          {sph::ShapeKind::surface,
           "within a closed surface of a mesh file: STL and what else docs/meshes.md lists",
           {key<sph::Shape>("file", &sph::Shape::file, {.meaning = "beside the case file", .required = true}),
            key<sph::Shape>("scale", &sph::Shape::scale,
                            {.meaning = "x = scale x of the file + move; 0.001 for files in mm", .range = positive}),
            key<sph::Shape>("move", &sph::Shape::move, {.meaning = "added after scaling", .unit = "m"})}},
          {sph::ShapeKind::intersection, "what all of these shapes have in common", {}},
          {sph::ShapeKind::union_, "all of these shapes together", {}},
          {sph::ShapeKind::difference, "the first of these shapes without the others", {}}};
}

const ShapeForm& form_of(sph::ShapeKind kind) { return shape_forms()[static_cast<std::size_t>(kind)]; }

std::vector<std::string> key_names(const ShapeForm& form) {
  std::vector<std::string> names;
  for (const Key<sph::Shape>& k : form.keys) names.push_back(k.name);
  return names;
}

/// Requires that a table has no unknown keys.
/// @throws Error  a name that `known` lacks
void require_known(const Value& value, const toml::table& table, const std::vector<std::string>& known) {
  for (const auto& [name, node] : table) {
    const std::string key(name.str());
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string path = value.path + "." + key;
    const auto near = nearest(key, known);
    throw Error(text(value.document->where(path, name.source()), ": unknown key `", path, "`; ",
                     near ? "did you mean `" + value.path + "." + *near + "`?" : "it takes " + join(known) + "."));
  }
}

Value inner_value(const Value& value, const toml::node& node, const std::string& path) {
  return {node, value.document->where(path, node.source()), path, "", {}, value.dimensions, value.document};
}

std::vector<sph::Shape> read_parts(const Value& value) {
  const toml::array* list = value.node.as_array();
  const std::string expected = "a list of shapes, such as [{ box = { from = ..., to = ... } }, ...]";
  if (!list || list->empty()) value.wrong_type(expected);
  std::vector<sph::Shape> parts;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::table* table = list->at(i).as_table();
    if (!table) value.wrong_type(expected);
    const Value entry = inner_value(value, *table, text(value.path, ".", i));
    require_known(entry, *table, shape_words());
    require_one_of(*value.document, *table, entry.path, shape_words());
    const std::string word(table->begin()->first.str());
    for (const ShapeForm& form : shape_forms())
      if (form.word() == word)
        parts.push_back(read_shape(inner_value(value, table->begin()->second, entry.path + "." + word), form));
  }
  return parts;
}

}  // namespace

const std::vector<ShapeForm>& shape_forms() {
  static const std::vector<ShapeForm> forms = make_forms();
  return forms;
}

std::vector<KeyInfo> shape_key_infos() {
  const sph::Shape defaults;
  std::vector<KeyInfo> list;
  for (const ShapeForm& form : shape_forms()) {
    for (const Key<sph::Shape>& k : form.keys)
      list.push_back({"sph", form.word() + " = { ... }", k.name, k.type, k.unit, k.required,
                      k.required ? "" : k.write(defaults, 2), k.meaning});
  }
  return list;
}

std::vector<std::string> shape_words() { return word_list<sph::ShapeKind>(); }

sph::Shape read_shape(const Value& value, const ShapeForm& form) {
  sph::Shape shape;
  shape.kind = form.kind;
  if (form.has_parts()) {
    shape.parts = read_parts(value);
    return shape;
  }
  const toml::table* table = value.node.as_table();
  if (!table) value.wrong_type("a table with " + join(key_names(form)));
  require_known(value, *table, key_names(form));
  for (const Key<sph::Shape>& k : form.keys) {
    const std::string path = value.path + "." + k.name;
    if (const toml::node* node = table->get(k.name)) {
      Value inner = inner_value(value, *node, path);
      inner.unit = k.unit;
      inner.range = k.range;
      k.read(inner, shape);
    } else {
      require(!k.required, value.where, ": missing key `", path, "` (", k.type, k.unit.empty() ? "" : ", " + k.unit,
              ": ", k.meaning, ").");
    }
  }
  return shape;
}

std::string shape_text(const sph::Shape& shape, int dimensions) {
  std::vector<std::string> entries;
  for (const sph::Shape& part : shape.parts)
    entries.push_back("{ " + std::string(to_name(part.kind)) + " = " + shape_text(part, dimensions) + " }");
  if (!shape.parts.empty()) return "[" + join(entries) + "]";
  for (const Key<sph::Shape>& k : form_of(shape.kind).keys) {
    const std::string value = k.write(shape, dimensions);
    if (!value.empty()) entries.push_back(k.name + " = " + value);
  }
  return "{ " + join(entries) + " }";
}

void require_one_of(const Document& document, const toml::table& table, const std::string& path,
                    const std::vector<std::string>& words) {
  std::vector<std::string> present;
  for (const std::string& word : words)
    if (table.contains(word)) present.push_back("`" + word + "`");
  require(!present.empty(), document.where(path, table.source()), ": `", path, "` has no shape; expected one of ",
          join(words), ".");
  require(present.size() == 1, document.where(path, table.source()), ": `", path, "` has ", join(present, " and "),
          ", expected one of them. A union, intersection or difference makes one shape of several.");
}

}  // namespace shoal::io
