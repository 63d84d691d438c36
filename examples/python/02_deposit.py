# SPDX-License-Identifier: Apache-2.0
"""Particle masses to the nodes of a grid, and the density of the nodes back to the particles."""

import matplotlib.pyplot as plt
import numpy

import shoal

random = numpy.random.default_rng(2)
angle = 4 * numpy.pi * random.random(100_000) ** 0.5
arm = random.integers(0, 2, angle.size) * numpy.pi
radius = 0.07 * angle + random.normal(0, 0.03, angle.size)
points = numpy.stack([radius * numpy.cos(angle + arm), radius * numpy.sin(angle + arm)], axis=1)  # m
mass = numpy.full(len(points), 1e-3)  # kg

grid = shoal.Grid.fill((-1.1, -1.1), (1.1, 1.1), 0.02)
plan = shoal.Deposit(grid)
plan.bin(points)
density = plan.to_nodes(mass) / (grid.spacing[0] * grid.spacing[1])  # kg/m2, of shape y, x
at_points = plan.interpolate(density)
slope = numpy.hypot(*plan.interpolate_gradient(density))
print(f"{mass.sum():.6f} kg of particles, {density.sum() * grid.spacing[0] * grid.spacing[1]:.6f} kg on the nodes")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained", sharex=True, sharey=True)
extent = (grid.origin[0], grid.upper[0], grid.origin[1], grid.upper[1])
image = left.imshow(density, origin="lower", extent=extent, vmin=0)
left.set(xlim=(-1, 1), ylim=(-1, 1), xlabel="x, m", ylabel="y, m", title="Deposited on the nodes")
figure.colorbar(image, ax=left, label="kg/m²")
dots = right.scatter(*points.T, c=at_points, s=0.3, linewidths=0, vmin=0)
right.set(aspect="equal", xlabel="x, m", title=f"Back at the particles; steepest {slope.max():.0f} kg/m³")
figure.colorbar(dots, ax=right, label="kg/m²")
figure.savefig("02_deposit.png", dpi=120)
