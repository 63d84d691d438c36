#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drag and lift of a cylinder in the domain of the case, by finite elements: python3 flow.py 100 80 > forces.csv

Incompressible flow, of the Reynolds number and up to the time given (diameters that the flow makes), past a cylinder of diameter
1 at the origin. The velocity is (1, 0) at x = -11.2, where the inlet of the case ends; the outlet at x = 23.2 has no stress, and
the sides at y = -12 and 12 repeat. Elements of Taylor and Hood (Q2, Q1) between circle and rectangle; steps by backward
differences of second order, with extrapolated convection. Needs scikit-fem.
"""

import sys

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import bmat, csr_matrix, diags
from scipy.sparse.linalg import splu
from skfem import Basis, BilinearForm, ElementQuad1, ElementQuad2, MeshQuad
from skfem.helpers import dot, grad

FROM, TO, HALF, RADIUS = -11.2, 23.2, 12.0, 0.5
AHEAD, ASIDE, BEHIND, LAYERS, FIRST = (
    16,
    16,
    28,
    31,
    0.031,
)  # cells along the sides and outward, and thickness of the first layer
STEP = 0.01


def mesh():
    """Rays from the circle to the rectangle, with layers that grow by a factor."""
    quarter = np.pi / 4

    def part(begin, end, cells):
        return np.linspace(begin, end, cells + 1)[:-1]

    angle = np.concatenate(
        [
            part(-quarter, quarter, BEHIND),
            part(quarter, 3 * quarter, ASIDE),
            part(3 * quarter, 5 * quarter, AHEAD),
            part(5 * quarter, 7 * quarter, ASIDE),
        ]
    )
    x = np.concatenate([np.full(BEHIND, TO), part(TO, FROM, ASIDE), np.full(AHEAD, FROM), part(FROM, TO, ASIDE)])
    y = np.concatenate(
        [part(-HALF, HALF, BEHIND), np.full(ASIDE, HALF), part(HALF, -HALF, AHEAD), np.full(ASIDE, -HALF)]
    )
    width = np.hypot(x, y).mean() - RADIUS
    growth = brentq(lambda q: FIRST * (q**LAYERS - 1) / (q - 1) - width, 1.0001, 3)
    share = (growth ** np.arange(LAYERS + 1) - 1) / (growth**LAYERS - 1)
    circle = RADIUS * np.stack([np.cos(angle), np.sin(angle)])
    points = circle[:, :, None] * (1 - share) + np.stack([x, y])[:, :, None] * share
    ray, layer = (a.ravel() for a in np.meshgrid(np.arange(len(angle)), np.arange(LAYERS), indexing="ij"))
    after = (ray + 1) % len(angle)
    nodes = LAYERS + 1
    cells = np.stack([ray * nodes + layer, ray * nodes + layer + 1, after * nodes + layer + 1, after * nodes + layer])
    return MeshQuad(points.reshape(2, -1), cells).with_boundaries(
        {
            "cylinder": lambda x: np.hypot(x[0], x[1]) < RADIUS + 1e-3,
            "inlet": lambda x: x[0] < FROM + 1e-6,
            "upper": lambda x: x[1] > HALF - 1e-6,
            "lower": lambda x: x[1] < -HALF + 1e-6,
        }
    )


def periodic(basis):
    """Number of each unknown, with one for both of an upper and a lower end, and the matrix from these to all."""
    number = np.arange(basis.N)
    upper, lower = (basis.get_dofs(side).all() for side in ("upper", "lower"))
    along = basis.doflocs[0]
    number[lower[np.argsort(along[lower])]] = upper[np.argsort(along[upper])]
    kept, number = np.unique(number, return_inverse=True)
    return number, csr_matrix((np.ones(basis.N), (np.arange(basis.N), number)), shape=(basis.N, len(kept)))


def at_points(basis, part, joined):
    """Matrix from unknowns to a value or derivative at the points of the quadrature."""
    count = basis.nelems, basis.dx.shape[1]
    row = np.arange(count[0] * count[1])
    values = [np.broadcast_to(part(basis.basis[k][0]), count).ravel() for k in range(basis.Nbfun)]
    columns = [np.repeat(basis.element_dofs[k], count[1]) for k in range(basis.Nbfun)]
    entries = np.concatenate(values), (np.tile(row, basis.Nbfun), np.concatenate(columns))
    return (csr_matrix(entries, shape=(len(row), basis.N)) @ joined).tocsr()


def main(reynolds, duration):
    velocity = Basis(mesh(), ElementQuad2(), intorder=5)
    pressure = velocity.with_element(ElementQuad1())
    number, joined = periodic(velocity)
    joined_pressure = periodic(pressure)[1]
    friction = joined.T @ BilinearForm(lambda u, v, w: dot(grad(u), grad(v)) / reynolds).assemble(velocity) @ joined
    mass = joined.T @ BilinearForm(lambda u, v, w: u * v).assemble(velocity) @ joined
    divergence = [
        joined_pressure.T @ BilinearForm(lambda u, q, w, k=k: -grad(u)[k] * q).assemble(velocity, pressure) @ joined
        for k in (0, 1)
    ]
    value, slope_x, slope_y = (
        at_points(velocity, part, joined) for part in (lambda b: b.value, lambda b: b.grad[0], lambda b: b.grad[1])
    )
    tested = value.T @ diags(velocity.dx.ravel())

    def convection(u):
        along, across = value @ u[0], value @ u[1]
        return np.stack([tested @ (along * (slope_x @ u[k]) + across * (slope_y @ u[k])) for k in (0, 1)])

    count = joined.shape[1]
    cylinder, inlet = (np.unique(number[velocity.get_dofs(name).all()]) for name in ("cylinder", "inlet"))
    x = np.zeros((2, count))
    x[:, number] = velocity.doflocs
    u = np.stack(
        [np.ones(count), 0.2 * (x[0] < TO - 2) * np.minimum(1, (x[0] - FROM) / 3)]
    )  # at an angle, as in the case
    u *= np.minimum(1, (np.hypot(*x) - RADIUS) / 0.5)
    u[:, inlet], u[:, cylinder] = [[1], [0]], 0

    momentum = 1.5 / STEP * mass + friction
    system = bmat([[momentum, None, divergence[0].T], [None, momentum, divergence[1].T], [*divergence, None]], "csr")
    given = np.unique(np.concatenate([cylinder, inlet, cylinder + count, inlet + count]))
    free = np.setdiff1d(np.arange(system.shape[0]), given)
    factors = splu(system[free][:, free].tocsc())
    from_given = system[free][:, given] @ u.ravel()[given]
    solution = np.zeros(system.shape[0])
    solution[given] = u.ravel()[given]

    print("time,drag,lift")
    before, convected_before = u, convection(u)
    for step in range(1, round(duration / STEP) + 1):
        convected = convection(u)
        source = [mass @ ((2 * u[k] - before[k] / 2) / STEP) - 2 * convected[k] + convected_before[k] for k in (0, 1)]
        solution[free] = factors.solve(
            np.concatenate([*source, np.zeros(len(solution) - 2 * count)])[free] - from_given
        )
        before, convected_before, u = u, convected, solution[: 2 * count].reshape(2, count).copy()
        if step % 10 == 0:
            p = solution[2 * count :]
            force = [-2 * (momentum @ u[k] + divergence[k].T @ p - source[k])[cylinder].sum() for k in (0, 1)]
            print(f"{step * STEP:.2f},{force[0]:.5f},{force[1]:.5f}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]))
