# SPDX-License-Identifier: Apache-2.0
"""Distances to an airfoil that pitches about its quarter chord; most answers need no search."""

import matplotlib.pyplot as plt
import numpy

import shoal

mesh, cells = shoal.naca0012_case(257, 65)
walls = shoal.WallDistance(mesh, bodies={"wing": ["airfoil"]}, motion=0.05)
angle = numpy.radians(10) * numpy.sin(numpy.linspace(0, 2 * numpy.pi, 201))

found, reused = None, []
for theta in angle:
    walls.move("wing", shoal.RigidTransform.about((0.25, 0, 0), (0, 0, 1), -theta))
    found = walls.update(cells, out=found)  # the same arrays every time
    reused.append(walls.reused / len(cells))
print(f"{len(cells)} cells, {len(angle)} updates, {100 * numpy.mean(reused[1:]):.0f} % of the answers without a search")

walls.move("wing", shoal.RigidTransform.about((0.25, 0, 0), (0, 0, 1), -numpy.radians(10)))
x, y = numpy.meshgrid(numpy.linspace(-0.5, 1.5, 400), numpy.linspace(-0.6, 0.6, 240))
field = walls.find((x.ravel(), y.ravel())).distance.reshape(x.shape)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained", width_ratios=(3, 2))
image = left.contourf(x, y, field, levels=numpy.arange(0, field.max(), 0.05))
left.contour(x, y, field, levels=[0.005], colors="white", linewidths=0.8)
left.set(aspect="equal", xlabel="x, m", ylabel="y, m", title="Distance to the wing at 10 degrees")
figure.colorbar(image, ax=left, label="m", shrink=0.8, format="%.2f")
right.plot(100 * numpy.array(reused[1:]))
right.set(xlabel="update", ylabel="answers without a search, %", ylim=(0, 102), title="One period")
right.grid(alpha=0.3)
figure.savefig("04_pitching_airfoil.png", dpi=120)
