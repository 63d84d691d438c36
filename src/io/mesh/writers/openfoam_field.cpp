// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/openfoam_field.hpp>
#include <shoal/io/output_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/text.hpp"
#include "io/formats/binary/gzip.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/whole_file.hpp"
#include "io/mesh/openfoam/foam_case.hpp"
#include "io/mesh/openfoam/poly_mesh.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

/// Types of patches that fields must repeat.
constexpr std::string_view constraint_types[] = {"empty",
                                                 "wedge",
                                                 "symmetry",
                                                 "symmetryPlane",
                                                 "cyclic",
                                                 "cyclicAMI",
                                                 "cyclicACMI",
                                                 "cyclicSlip",
                                                 "cyclicPeriodicAMI",
                                                 "processor",
                                                 "processorCyclic",
                                                 "nonuniformTransformCyclic",
                                                 "nonConformalCyclic",
                                                 "nonConformalError",
                                                 "nonConformalProcessorCyclic"};

/// Part of the field: the file, or the block of a collated file, of one processor, or the file of the whole case.
struct Part {
  fs::path file;
  bool is_block;
  PolyMesh mesh;
};

void require_names(const OpenFoamField& field) {
  std::string time = field.time;
  std::erase(time, '+');  // as in 1e+06
  require_file_name(time, "openfoam: `time`");
  require_file_name(field.name, "openfoam: `name`");
}

fs::path field_file(const fs::path& poly_mesh, const OpenFoamField& field) {
  std::error_code ignored;
  const bool is_compressed = !fs::exists(poly_mesh / "points", ignored) && fs::exists(poly_mesh / "points.gz", ignored);
  return folder_of_fields(poly_mesh, field.time) / (field.name + (is_compressed ? ".gz" : ""));
}

std::vector<Part> read_parts(const fs::path& mesh, const OpenFoamField& field, bool decomposed) {
  std::vector<Part> parts;
  for (const PolyMeshPart& part : find_poly_meshes(mesh, decomposed))
    parts.push_back({field_file(part.folder, field), part.collated != nullptr, read_poly_mesh(part)});
  return parts;
}

void require_fits(const fs::path& mesh, const std::vector<Part>& parts, const OpenFoamField& field,
                  const View<const double>& value) {
  require(value.device.kind == DeviceKind::cpu && value.contiguous(), mesh.string(), ": the values of ", field.name,
          " are on ", to_string(value.device), " with stride ", value.stride,
          ", expected contiguous values in host memory. Copy them with to_host.");
  std::int64_t cells = 0;
  std::vector<std::string> patches;
  for (const Part& part : parts) {
    cells += part.mesh.cells;
    for (const PolyPatch& patch : part.mesh.patches) patches.push_back(patch.name);
  }
  require(value.count == cells, mesh.string(), ": ", value.count, " values of ", field.name, ", and the mesh has ",
          cells, " cells, expected one each.");
  for (std::int64_t i = 0; i < value.count; ++i)
    require(std::isfinite(value.data[i]), mesh.string(), ": ", field.name, " of cell ", i, " is ", value.data[i],
            ", expected a finite value.");
  for (const std::string& name : field.zero_patches)
    require(std::find(patches.begin(), patches.end(), name) != patches.end(),
            missing_text(mesh.string(), "patch", name, patches));
}

/// Form of the numbers of a part.
struct Form {
  bool is_binary;
  int scalar_bytes;

  Form(const FoamHeader& header, OpenFoamFormat format)
      : is_binary(format == OpenFoamFormat::binary || (format == OpenFoamFormat::mesh && header.is_binary)),
        scalar_bytes(format == OpenFoamFormat::mesh ? header.scalar_bytes : 8) {}
};

constexpr const char* field_class = "volScalarField";

std::string header_text(const Part& part, const OpenFoamField& field, const Form& form, const char* class_name) {
  const int label_bytes = part.mesh.header.label_bytes == 8 ? 8 : 4;
  return fmt::format(
      "FoamFile\n{{\n    version     2.0;\n    format      {};\n    arch        \"{};label={};scalar={}\";\n"
      "    class       {};\n    location    \"{}\";\n    object      {};\n}}\n\n",
      form.is_binary ? "binary" : "ascii", std::endian::native == std::endian::little ? "LSB" : "MSB", 8 * label_bytes,
      8 * form.scalar_bytes, class_name, field.time, field.name);
}

template <class T>
void append_raw(std::string& out, std::span<const double> values) {
  for (const double value : values) {
    const auto number = static_cast<T>(value);
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

std::string values_text(const OpenFoamField& field, std::span<const double> values, const Form& form) {
  std::string out = fmt::format("dimensions      [{}];\n\ninternalField   nonuniform List<scalar>\n{}\n(",
                                fmt::join(field.dimensions, " "), values.size());
  if (!form.is_binary)
    for (const double value : values) fmt::format_to(std::back_inserter(out), "\n{}", value);
  else if (form.scalar_bytes == 4)
    append_raw<float>(out, values);
  else
    append_raw<double>(out, values);
  return out + (form.is_binary ? ");\n\n" : "\n);\n\n");
}

std::string patches_text(const Part& part, const OpenFoamField& field) {
  const auto contains = [](const auto& list, const std::string& name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  std::string out = "boundaryField\n{\n";
  for (const PolyPatch& patch : part.mesh.patches) {
    const bool is_constraint = contains(constraint_types, patch.type);
    const bool is_zero = !is_constraint && contains(field.zero_patches, patch.name);
    out += fmt::format("    {}\n    {{\n        type            {};\n{}    }}\n", patch.name,
                       is_constraint ? patch.type
                       : is_zero     ? "fixedValue"
                                     : "zeroGradient",
                       is_zero ? "        value           uniform 0;\n" : "");
  }
  return out + "}\n";
}

std::string content_of(const Part& part, const OpenFoamField& field, const Form& form, std::span<const double> values) {
  return values_text(field, values, form) + patches_text(part, field);
}

/// Header of a collated file. Its blocks are raw, whatever form their content has.
std::string header_of_blocks(const Part& part, const OpenFoamField& field) {
  const Form raw(part.mesh.header, OpenFoamFormat::binary);
  return header_text(part, field, raw, "decomposedBlockData");
}

std::string block_text(std::size_t number, const std::string& content) {
  return fmt::format("\n// Processor{}\n\n{}\n({})\n", number, content.size(), content);
}

/// Content of one file: that of one part, or of the blocks of several, of which the first has the header of all.
std::string file_text(std::span<const Part> parts, const OpenFoamField& field, std::span<const double>& values) {
  std::string file = parts.front().is_block ? header_of_blocks(parts.front(), field) : "";
  const Form form(parts.front().mesh.header, field.format);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto cells = static_cast<std::size_t>(parts[i].mesh.cells);
    const std::string content = (i == 0 ? header_text(parts[0], field, form, field_class) : "") +
                                content_of(parts[i], field, form, values.first(cells));
    file += parts.front().is_block ? block_text(i, content) : content;
    values = values.subspan(cells);
  }
  return file;
}

void write_file(const Part& part, const std::string& content) {
  std::error_code failed;
  fs::create_directories(part.file.parent_path(), failed);
  require(!failed, part.file.parent_path().string(), ": the folder cannot be made: ", failed.message(), ".");
  write_whole_text(part.file, part.mesh.header.is_compressed ? pack_gzip(content) : content);
}

}  // namespace

std::vector<fs::path> openfoam_field_files(const fs::path& mesh, const OpenFoamField& field, bool decomposed) {
  require_names(field);
  std::vector<fs::path> files;
  for (const PolyMeshPart& part : find_poly_meshes(mesh, decomposed))
    if (part.block == 0) files.push_back(field_file(part.folder, field));
  return files;
}

void write_openfoam_field(const fs::path& mesh, const OpenFoamField& field, View<const double> value, bool decomposed) {
  require_names(field);
  const auto parts = checked_read(mesh, [&] { return read_parts(mesh, field, decomposed); });
  require_fits(mesh, parts, field, value);
  std::span<const double> rest(value.data, static_cast<std::size_t>(value.count));
  for (std::size_t first = 0, end = 0; first < parts.size(); first = end) {
    while (end < parts.size() && parts[end].file == parts[first].file) ++end;
    write_file(parts[first], file_text(std::span(parts).subspan(first, end - first), field, rest));
  }
}

}  // namespace shoal::io
