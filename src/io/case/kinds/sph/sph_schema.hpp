// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Sections of a case file of kind = "sph", in the order in which they are written.
struct SphSchema {
  using Case = sph::Case;
  static constexpr const char* kind = "sph";

  Section<sph::Case> top, run;
  Section<sph::Isosurface> isosurface;
  Section<sph::Case> particles;
  Section<sph::Box> domain;
  Section<sph::Body> body;
  Section<sph::Wall> wall;
  Section<sph::WallMotion> motion;
  Section<sph::RigidBody> rigid_body;
  Section<sph::Spring> spring;
  Section<sph::Contact> contact;
  Section<sph::Wavemaker> wavemaker;
  Section<sph::DampingZone> damping;
  Section<sph::OpenBoundary> open_boundary;
  Section<sph::Refinement> refinement;
  Section<sph::Material> material;
  Section<sph::SurfaceTension> surface_tension;
  Section<sph::Scheme> scheme;
  Section<sph::HeatPulse> heat_pulse;
  Section<sph::Probe> probe;

  /// Calls `visit` with each section and the member of a case that it describes.
  template <class CaseOrConst, class Visit>
  void for_each(CaseOrConst& simulation, Visit visit) const {
    visit(top, simulation), visit(run, simulation), visit(isosurface, simulation.output.isosurface);
    visit(particles, simulation), visit(domain, simulation.domain);
    visit(body, simulation.bodies), visit(wall, simulation.walls), visit(motion, simulation.motions);
    visit(rigid_body, simulation.rigid_bodies), visit(spring, simulation.springs);
    visit(contact, simulation.contact), visit(wavemaker, simulation.wavemakers);
    visit(damping, simulation.damping), visit(open_boundary, simulation.open_boundaries);
    visit(refinement, simulation.refinements);
    visit(material, simulation.materials), visit(surface_tension, simulation.surface_tensions);
    visit(scheme, simulation.scheme), visit(heat_pulse, simulation.heat), visit(probe, simulation.probes);
  }
};

const SphSchema& sph_schema();

}  // namespace shoal::io
