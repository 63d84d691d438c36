# SPDX-License-Identifier: Apache-2.0
"""The distance to a closed surface, negative inside, on a slice through it.

    python 03_wall_distance.py [SURFACE]     STL, OBJ, VTK, gmsh ... read by meshio; default: a torus
"""

import sys

import matplotlib.pyplot as plt
import meshio
import numpy

import shoal


def torus(around=96, tube=48):
    """As a mesh of meshio: rings of triangles, turned outwards."""
    u, v = numpy.meshgrid(numpy.arange(around), numpy.arange(tube), indexing="ij")
    a, b = 2 * numpy.pi * u / around, 2 * numpy.pi * v / tube
    out = 1 + 0.4 * numpy.cos(b)
    points = numpy.stack([out * numpy.cos(a), out * numpy.sin(a), 0.4 * numpy.sin(b)], axis=-1).reshape(-1, 3)
    corner = lambda i, j: ((u + i) % around * tube + (v + j) % tube).ravel()
    below = numpy.stack([corner(0, 0), corner(1, 0), corner(1, 1)], axis=1)
    above = numpy.stack([corner(0, 0), corner(1, 1), corner(0, 1)], axis=1)
    return meshio.Mesh(points, [("triangle", numpy.concatenate([below, above]))])


surface = meshio.read(sys.argv[1]) if len(sys.argv) > 1 else torus()
mesh = shoal.WallMesh(surface.points, {"surface": surface.cells_dict["triangle"]})

lower, upper = mesh.points.min(axis=0), mesh.points.max(axis=0)
margin = 0.3 * (upper - lower).max()
x = numpy.linspace(lower[0] - margin, upper[0] + margin, 400)
z = numpy.linspace(lower[2] - margin, upper[2] + margin, 300)
slice_x, slice_z = numpy.meshgrid(x, z)
middle = numpy.full(slice_x.size, (lower[1] + upper[1]) / 2)
found = shoal.wall_distance(mesh, (slice_x.ravel(), middle, slice_z.ravel()), signs=True)
distance = found.distance.reshape(slice_x.shape)
print(f"{mesh}: {distance.size} points, {(distance < 0).sum()} of them inside")

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
most = numpy.abs(distance).max()
image = axes.pcolormesh(x, z, distance, cmap="RdBu", vmin=-most, vmax=most)
axes.contour(x, z, distance, levels=10, colors="black", linewidths=0.3)
axes.contour(x, z, distance, levels=[0], colors="black")
axes.set(aspect="equal", xlabel="x, m", ylabel="z, m", title="Distance to the wall")
figure.colorbar(image, label="m")
figure.savefig("03_wall_distance.png", dpi=120)
