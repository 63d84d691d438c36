#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Normal shock by simulated molecules: python3 particles.py hard_sphere 3 > hard_sphere_3.csv

Direct simulation in the way of Nanbu (1980) and Babovsky (1986). In each step the molecules move freely; then those of a cell form
random pairs, and a pair collides with the probability (N - 1) weight |V| sigma step / width, so that each of the N (N - 1) / 2 pairs
of the cell collides at its rate. Scattering is isotropic. Both ends are reservoirs, whose molecules enter from a box outside.

The mean free path 1 / (sqrt(2) pi n d^2), the density and k T / m of the gas ahead are 1; Maxwell molecules have the viscosity of
those spheres there. x = 0 is the place of a jump with the same number of molecules. It is found at each sample, because the shock
wanders, and once more in their mean, without the noise far behind. Options: molecules for each mean free path ahead, steps before sampling and samples, and the seed.
"""

import argparse
import sys

import numpy as np

CELL = 0.1  # mean free paths ahead; samples have two cells
COLLISIONS = 0.12  # of a molecule behind the shock in a step
MAXWELL_RATE = 2.51295  # |V| sigma


class Gas:
    """Molecules of one side: density, velocity and k T / m."""

    def __init__(self, density, velocity, temperature):
        self.density, self.velocity, self.temperature = density, velocity, temperature

    def molecules(self, random, begin, end, per_path):
        count = random.poisson(self.density * (end - begin) * per_path)
        v = random.normal(0, np.sqrt(self.temperature), (3, count))
        v[0] += self.velocity
        return random.uniform(begin, end, count), v


def sides(mach):
    """Gas ahead and behind, by Rankine and Hugoniot."""
    ahead = Gas(1, mach * np.sqrt(5 / 3), 1)
    ratio = 4 * mach**2 / (mach**2 + 3)
    return ahead, Gas(
        ratio,
        ahead.velocity / ratio,
        (5 * mach**2 - 1) * (mach**2 + 3) / (16 * mach**2),
    )


class Shock:
    def __init__(self, model, mach, length, per_path, seed):
        self.random = np.random.default_rng(seed)
        self.model, self.per_path = model, per_path
        self.ahead, self.behind = sides(mach)
        self.begin, self.end = -length[0], length[1]
        rate = MAXWELL_RATE if model == "maxwell" else 4 * np.sqrt(self.behind.temperature / np.pi) / np.sqrt(2)
        self.step = COLLISIONS / (rate * self.behind.density)
        parts = [
            self.ahead.molecules(self.random, self.begin, 0, per_path),
            self.behind.molecules(self.random, 0, self.end, per_path),
        ]
        self.join(parts)

    def join(self, parts):
        self.x = np.concatenate([x for x, _ in parts])
        self.v = np.concatenate([v for _, v in parts], axis=1)

    def advance(self):
        self.move()
        self.collide()

    def move(self):
        parts = [(self.x, self.v)]
        for gas, end, outward in (
            (self.ahead, self.begin, -1),
            (self.behind, self.end, 1),
        ):
            box = (abs(gas.velocity) + 6 * np.sqrt(gas.temperature)) * self.step
            parts.append(gas.molecules(self.random, *sorted((end, end + outward * box)), self.per_path))
        self.join(parts)
        self.x += self.v[0] * self.step
        inside = (self.x >= self.begin) & (self.x < self.end)
        self.x, self.v = self.x[inside], self.v[:, inside]

    def collide(self):
        cell = ((self.x - self.begin) / CELL).astype(np.int64)
        order = np.argsort(cell + self.random.random(len(cell)))
        self.x, self.v, cell = self.x[order], self.v[:, order], cell[order]
        counts = np.bincount(cell)
        place = np.arange(len(cell)) - (np.cumsum(counts) - counts)[cell]
        first = np.flatnonzero((place[:-1] % 2 == 0) & (cell[:-1] == cell[1:]))
        a, b = self.v[:, first], self.v[:, first + 1]
        speed = np.sqrt(((a - b) ** 2).sum(axis=0))
        rate = MAXWELL_RATE if self.model == "maxwell" else speed / np.sqrt(2)
        chance = (counts[cell[first]] - 1) / self.per_path * rate * self.step / CELL
        hit = self.random.random(len(first)) < chance
        first, speed = first[hit], speed[hit] / 2
        center = (a[:, hit] + b[:, hit]) / 2
        direction = self.random.normal(size=(3, len(first)))
        direction *= speed / np.sqrt((direction**2).sum(axis=0))
        self.v[:, first], self.v[:, first + 1] = center + direction, center - direction

    def place(self):
        """x of a jump with as many molecules."""
        n1, n2 = self.ahead.density, self.behind.density
        return (n2 * self.end - n1 * self.begin - len(self.x) / self.per_path) / (n2 - n1)

    def sample(self, sums, reach):
        bins = ((self.x - self.place() + reach) / (2 * CELL)).astype(np.int64)
        inside = (self.x - self.place() > -reach) & (bins < sums.shape[1])
        values = [
            np.ones(inside.sum()),
            self.v[0, inside],
            (self.v[:, inside] ** 2).sum(axis=0),
        ]
        for k, value in enumerate(values):
            sums[k] += np.bincount(bins[inside], value, sums.shape[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=["hard_sphere", "maxwell"])
    parser.add_argument("mach", type=float)
    parser.add_argument(
        "--length",
        type=float,
        nargs=2,
        default=[14, 10],
        help="mean free paths ahead and behind",
    )
    parser.add_argument("--reach", type=float, default=7, help="of the samples to both sides")
    parser.add_argument(
        "--molecules",
        type=float,
        default=2000,
        help="for each mean free path of the gas ahead",
    )
    parser.add_argument("--steps", type=int, default=6000, help="before the first sample")
    parser.add_argument("--samples", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shock = Shock(given.model, given.mach, given.length, given.molecules, given.seed)
    sums = np.zeros((3, round(given.reach / CELL)))
    for step in range(given.steps + given.samples):
        shock.advance()
        if step >= given.steps:
            shock.sample(sums, given.reach)
    density = sums[0] / (given.samples * given.molecules * 2 * CELL)
    velocity = sums[1] / sums[0]
    temperature = (sums[2] / sums[0] - velocity**2) / 3
    n1, n2 = shock.ahead.density, shock.behind.density
    place = ((n1 + n2) * given.reach - density.sum() * 2 * CELL) / (n2 - n1)
    print("x [m],density [1/m3],velocity x [m/s],temperature [m2/s2]")
    for i in range(sums.shape[1]):
        x = -given.reach + (2 * i + 1) * CELL - place
        print(f"{x:.2f},{density[i]:.5f},{velocity[i]:.5f},{temperature[i]:.5f}")
    steepest = np.max((density[2:] - density[:-2]) / (4 * CELL)) / (shock.behind.density - 1)
    print(
        f"mean free path over thickness {steepest:.4f}, shock at {shock.place():.3f}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
