# SPDX-License-Identifier: Apache-2.0
"""Relaxation of two beams of Maxwell molecules to a gas at rest."""

import matplotlib.pyplot as plt
import numpy

import shoal

grid = shoal.VelocityGrid(nodes=16, half_width=4.8)
gas = shoal.Relaxation(grid, shoal.Molecules(model="maxwell", rate=1), stencil="two_pair", scheme="tvd_rk2")
gas.start(shoal.TwoBeams(density=1, temperature=0.6, apart=(1.8, 0, 0)).distribution(grid))

times = numpy.linspace(0, 4, 9)
stress, entropy, slices = [], [], []
for time in times:
    gas.advance_to(time)
    (state,) = gas.states()
    stress.append(state.moments.stress[0] - state.moments.density * state.moments.temperature)
    entropy.append(state.entropy)
    slices.append(gas.f[0].sum(axis=(0, 1)) * grid.spacing**2)  # over vz and vy: what is left is of vx
print(f"{gas.steps} steps, entropy {entropy[0]:.4f} to {entropy[-1]:.4f}, energy {state.energy:.6f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for index in (0, 2, 4, 8):
    left.plot(grid.axis(0), slices[index], marker=".", label=f"t = {times[index]:.1f} s")
left.set(xlabel="velocity along x, m/s", ylabel="molecules, s/m⁴", title="From two beams to one gas")
left.legend(frameon=False)
right.semilogy(times, numpy.array(stress) / stress[0], "o", label="computed")
right.semilogy(times, numpy.exp(-times / 2), label="exact: exp(−t/2)")
right.set(xlabel="time, s", ylabel="stress beyond the pressure / its start", title="Maxwell molecules")
right.legend(frameon=False)
figure.savefig("05_relaxing_gas.png", dpi=120)
