# SPDX-License-Identifier: Apache-2.0
"""Number of neighbors of each point of a disk. With CuPy and a GPU all data stay on the device."""

import matplotlib.pyplot as plt
import numpy

import shoal

xp = numpy
if "cuda:0" in shoal.devices():
    try:
        import cupy as xp
    except ImportError:
        pass

random = xp.random.default_rng(1)
angle, distance = 2 * xp.pi * random.random(20_000), random.random(20_000) ** 0.5
x, y = distance * xp.cos(angle), distance * xp.sin(angle)  # m

plan = shoal.Neighbors(0.05, dimensions=2, like=x)
offsets, indices, *_ = plan.find((x, y))  # columns; a table (n, 2) does as well
count = xp.diff(offsets)
print(f"{plan.method} in {type(offsets).__module__}: {int(offsets[-1])} pairs, {float(count.mean()):.1f} neighbors each")

figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
on_host = (array.get() if hasattr(array, "get") else array for array in (x, y, count))
xs, ys, counts = on_host
points = axes.scatter(xs, ys, c=counts, s=2, linewidths=0)
axes.set(aspect="equal", xlabel="x, m", ylabel="y, m", title="Neighbors within 0.05 m")
figure.colorbar(points, label="neighbors")
figure.savefig("01_neighbors.png", dpi=120)
