// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/sph/sph_wave_schema.hpp"

#include <iterator>

#include "io/case/motions/motion_keys.hpp"

namespace shoal::io {

using namespace sph;

Section<WallMotion> motion_section() {
  Section<WallMotion> section{"motion", Shape::list, false, {}};
  section.keys.push_back(key<WallMotion>(
      "wall", &WallMotion::wall, {.meaning = "name of the wall, to whose motions this one adds", .required = true}));
  std::vector<Key<WallMotion>> keys = motion_keys<WallMotion>(
      [](auto& added) -> auto& { return added.motion; }, "kind", true);
  std::move(keys.begin(), keys.end(), std::back_inserter(section.keys));
  return section;
}

Section<Wavemaker> wavemaker_section() {
  const Condition<Wavemaker> flap{"paddle", "flap", [](const Wavemaker& w) { return w.paddle == Paddle::flap; }};
  const Condition<Wavemaker> regular{"waves", "regular", [](const Wavemaker& w) { return w.waves == Waves::regular; }};
  const Condition<Wavemaker> focused{"waves", "focused", [](const Wavemaker& w) { return w.waves == Waves::focused; }};
  const Condition<Wavemaker> irregular{"waves", "irregular",
                                       [](const Wavemaker& w) { return w.waves == Waves::irregular; }};
  const Condition<Wavemaker> with_height{"waves", "regular\" or \"irregular",
                                         [](const Wavemaker& w) { return w.waves != Waves::focused; }};
  const Condition<Wavemaker> spectral{"waves", "focused\" or \"irregular",
                                      [](const Wavemaker& w) { return w.waves != Waves::regular; }};
  const Condition<Wavemaker> jonswap{"spectrum", "jonswap", [](const Wavemaker& w) {
                                       return w.waves != Waves::regular && w.spectrum == Spectrum::jonswap;
                                     }};
  return {
      "wavemaker",
      Shape::list,
      false,
      {key<Wavemaker>("wall", &Wavemaker::wall, {.meaning = "name of the wall that is the paddle", .required = true}),
       key<Wavemaker>("paddle", &Wavemaker::paddle,
                      {.meaning = "piston: the wall shifts; flap: it turns about a hinge at the bed"}),
       key<Wavemaker>("waves", &Wavemaker::waves,
                      {.meaning = "regular: one wave; focused: crests that meet once; irregular: a sea"}),
       key<Wavemaker>(
           "order", &Wavemaker::order,
           {.meaning = "2, for pistons: without free waves of twice the frequency of a regular one (Madsen), "
                       "or free waves of sums and differences (Schaeffer)",
            .range = {1, 2}}),
       key<Wavemaker>(
           "depth", &Wavemaker::depth,
           {.meaning = "depth of still water at the paddle", .unit = "m", .required = true, .range = positive}),
       key<Wavemaker>("period", &Wavemaker::period,
                      {.meaning = "period of the wave, or of the peak of the spectrum",
                       .unit = "s",
                       .required = true,
                       .range = positive}),
       key<Wavemaker>("height", &Wavemaker::height,
                      {.meaning = "from trough to crest; of a sea the significant height, 4 sqrt(m0); 0: a paddle that "
                                  "only absorbs",
                       .unit = "m",
                       .required = true,
                       .range = not_negative,
                       .only_with = with_height}),
       key<Wavemaker>("crest", &Wavemaker::crest,
                      {.meaning = "highest elevation above still water, by linear theory",
                       .unit = "m",
                       .required = true,
                       .range = positive,
                       .only_with = focused}),
       key<Wavemaker>("phase", &Wavemaker::phase,
                      {.meaning = "of the elevation at the paddle: cos(phase) at t = 0, less the ramp",
                       .unit = "degrees",
                       .only_with = regular}),
       key<Wavemaker>("focus_time", &Wavemaker::focus_time,
                      {.meaning = "time at which the crests meet",
                       .unit = "s",
                       .required = true,
                       .range = not_negative,
                       .only_with = focused}),
       key<Wavemaker>("focus_length", &Wavemaker::focus_length,
                      {.meaning = "distance from the paddle at which they meet",
                       .unit = "m",
                       .required = true,
                       .range = not_negative,
                       .only_with = focused}),
       key<Wavemaker>("spectrum", &Wavemaker::spectrum,
                      {.meaning = "energy over the frequency, docs/theory/sph.md", .only_with = spectral}),
       key<Wavemaker>("peak_enhancement", &Wavemaker::peak_enhancement,
                      {.meaning = "gamma", .range = positive, .only_with = jonswap}),
       key<Wavemaker>("frequencies", &Wavemaker::frequencies,
                      {.meaning = "range of the waves, relative to the peak frequency", .only_with = spectral}),
       key<Wavemaker>("components", &Wavemaker::components,
                      {.meaning = "number of waves in the sum", .range = {1, 10'000}, .only_with = spectral}),
       key<Wavemaker>(
           "seed", &Wavemaker::seed,
           {.meaning = "of the random phases and frequencies", .range = not_negative, .only_with = irregular}),
       key<Wavemaker>("ramp", &Wavemaker::ramp,
                      {.meaning = "time in which the motion grows to its full size; by default the period",
                       .unit = "s",
                       .range = not_negative}),
       key<Wavemaker>("direction", &Wavemaker::direction, {.meaning = "horizontal direction of the waves"}),
       key<Wavemaker>("hinge", &Wavemaker::hinge,
                      {.meaning = "a point of the axis of the flap, at the bed",
                       .unit = "m",
                       .required = true,
                       .only_with = flap}),
       key<Wavemaker>(
           "absorption_gauge", &Wavemaker::absorption_gauge,
           {.meaning = "place before a piston at which it measures the water level, to absorb waves that come "
                       "back; by default it reflects them",
            .unit = "m"})}};
}

Section<DampingZone> damping_section() {
  return {
      "damping",
      Shape::list,
      false,
      {key<DampingZone>("box.from", [](auto& d) -> auto& { return d.box.from; },
                        {.meaning = "lower corner of the zone", .unit = "m", .required = true}),
       key<DampingZone>("box.to", [](auto& d) -> auto& { return d.box.to; },
                        {.meaning = "upper corner", .unit = "m", .required = true}),
       key<DampingZone>("toward", &DampingZone::toward,
                        {.meaning = "side of the box at which the rate is reached; it is 0 at the opposite one"}),
       key<DampingZone>(
           "rate", &DampingZone::rate,
           {.meaning = "velocity falls by the factor exp(-rate s^2 dt) in a step", .unit = "1/s", .range = positive})}};
}

}  // namespace shoal::io
