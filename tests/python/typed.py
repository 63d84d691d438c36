# SPDX-License-Identifier: Apache-2.0
"""A program that uses the types of the package; test_package.py has mypy check it."""

import numpy

import shoal

points = numpy.zeros((10, 3))
plan = shoal.Neighbors(0.1, predicate="inclusive", dtype="float64", distances=True)
found: shoal.NeighborList = plan.find(points)
offsets, indices, *_ = found
rows: list[shoal.MethodInfo] = shoal.methods("neighbors")
name: str = rows[0].name
pairs: shoal.NeighborPairs = shoal.PeriodicNeighbors(0.1, half=True).find(points, numpy.eye(3), periodic=True)

grid = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.1)
nodes = shoal.deposit(points, numpy.ones(10), grid, outside="clamp")
deposit = shoal.Deposit(shoal.DepositGrid(grid, nodes={0: [0, 0.5, 1]}), shape="cic")
lost: float = deposit.lost(nodes)

mesh = shoal.WallMesh([[0, 0], [1, 0]], {"floor": [[0, 1]]})
walls = shoal.WallDistance(mesh, bodies={"floor": ["floor"]}, far_field=(0.1, 1.0))
walls.move("floor", shoal.RigidTransform.shift([0, 1, 0]))
answers: shoal.WallDistances = walls.find(points, want=("distance", "nearest"))

gas = shoal.Relaxation(shoal.VelocityGrid(nodes=16), shoal.Molecules(model="vhs"), scheme="euler")
entropy: float = gas.states()[0].entropy

walls_of_gas = shoal.gas.GasBoundary(kind="diffuse", temperature=1.1)
flow = shoal.gas.Gas(shoal.VelocityGrid(nodes=16), [0.0, 0.5, 1.0], shoal.Molecules(), left=walls_of_gas, model="bgk")
flow.start(numpy.ones(2), numpy.ones(2))
flow.start_from(flow.f, flow.clock)
steady: shoal.gas.SteadyResult = flow.advance_to_steady(method="sweeps", residual=1e-4)
moments: shoal.gas.GasMoments = flow.moments()
energy: float = flow.fluxes()[0].energy

ranks: shoal.mpi.Ranks = shoal.mpi.world()
queue: shoal.mpi.Queue = shoal.mpi.queue(ranks, "cpu")
near: shoal.PointsWithGhosts = shoal.GhostPoints(0.1, ranks=ranks, device=queue).find(points)
part = points[shoal.mpi.share_of(len(points), ranks)]
slab = shoal.Deposit(grid, ranks=ranks, slabs=shoal.mpi.cut_by_weight([1, 2], ranks))

case = shoal.sph.Case(title="typed", run={"duration": 1.0}, overrides={"scheme.cfl": 0.4})
outcome: shoal.cases.RunOutcome = shoal.cases.run("case.toml", "out", {"run.duration": 1.0}, threads=2)
solver: shoal.sph.Solver = case.run(lambda now: now.clock.time < 0.5)
total: int = shoal.sph.Solver(case, queue, ranks=ranks).fields().total
pressure = solver.fields().pressure
