// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/system_info.hpp"

#include <shoal/device.hpp>
#include <shoal/version.hpp>

#include <thread>

#include "core/device/processor.hpp"
#include "core/text.hpp"

namespace shoal::io {

JsonObject machine_json() {
  JsonObject json;
  if (const std::string name = processor_name(); !name.empty()) json.add("processor", name);
  json.add("hardware_threads", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  json.add("shoal", text(version(), ", commit ", commit())).add("compiler", compiler());
  return json.add("cuda", cuda_description());
}

}  // namespace shoal::io
