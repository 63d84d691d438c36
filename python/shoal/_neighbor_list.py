# SPDX-License-Identifier: Apache-2.0
"""Neighbor lists by the call that ASE and matscipy have."""

from __future__ import annotations

from typing import Any

from ._core import Error, periodic_neighbors

QUANTITIES = "ijdDS"


def _matches(key: Any, atoms: Any, numbers: Any) -> Any:
    """Atoms of an element, which is an atomic number or, with atoms, a symbol."""
    import numpy

    if isinstance(key, str):
        if not hasattr(atoms, "get_chemical_symbols"):
            raise Error(
                f"neighbors: cutoff names the element {key!r}, expected atomic numbers, unless atoms are given."
            )
        return numpy.asarray(atoms.get_chemical_symbols()) == key
    return numpy.asarray(numbers) == key


def _cutoffs_of_elements(cutoff: dict[Any, float], atoms: Any, numbers: Any, i: Any, j: Any) -> Any:
    """Cutoff of each pair by the elements of both atoms; 0 for elements that the dictionary does not have."""
    if numbers is None:
        raise Error("neighbors: cutoff is a dictionary of elements, expected atoms or their numbers. Pass numbers.")
    import numpy

    found = numpy.zeros(len(i))
    for (first, second), value in cutoff.items():
        a, b = _matches(first, atoms, numbers), _matches(second, atoms, numbers)
        found[(a[i] & b[j]) | (b[i] & a[j])] = value
    return found


def neighbor_list(
    quantities: str,
    atoms: Any = None,
    cutoff: Any = None,
    self_interaction: bool = False,
    *,
    positions: Any = None,
    cell: Any = None,
    pbc: Any = None,
    numbers: Any = None,
) -> Any:
    """All pairs of atoms within a cutoff, with their periodic images, as ASE and matscipy return them.

    A pair has ``D = positions[j] - positions[i] + S @ cell`` and ``d = |D| < cutoff``. Pairs are ordered by i, j and S;
    each is listed in both directions, and an atom pairs with its own images. `periodic_neighbors` searches in float64.

    Parameters
    ----------
    quantities : str
        Letters of what to return, in this order: "i" and "j", the atoms of each pair; "d", its distance; "D", its
        vector; "S", its shift in periods.
    atoms : ase.Atoms, optional
        Or any object with `positions`, `cell` and `pbc`; or pass these as keywords.
    cutoff : float, dict, or array (n)
        A length for all pairs; a length for each pair of elements, by symbols or atomic numbers, as
        ``{("O", "H"): 1.2}``, where other elements are no neighbors; or a radius for each atom: a pair has the sum.
    self_interaction : bool
        Return each atom as its own neighbor, too.
    positions, cell, pbc, numbers : arrays, optional
        In place of `atoms`: (n, 3), (3, 3) or three lengths, one or three bool, and n atomic numbers. Without a cell no
        direction is periodic.

    Returns
    -------
    array, or tuple of arrays
        i and j (int64, [pairs]), d ([pairs]), D ([pairs, 3]), S (int32, [pairs, 3]). One letter returns the bare array.

    Raises
    ------
    Error
        Unknown letters, missing or contradictory arguments; what `periodic_neighbors` raises.
    """
    import numpy

    unknown = [letter for letter in quantities if letter not in QUANTITIES]
    if unknown or not quantities:
        raise Error(f"neighbors: quantities = {quantities!r}, expected letters out of {QUANTITIES!r}.")
    if cutoff is None:
        raise Error(
            "neighbors: cutoff is missing, expected a length, a dictionary of elements or a radius of each atom."
        )
    if (atoms is None) == (positions is None):
        raise Error("neighbors: expected either atoms or positions, got " + ("neither." if atoms is None else "both."))
    if atoms is not None:
        positions, cell, pbc = atoms.positions, atoms.cell, atoms.pbc
        numbers = getattr(atoms, "numbers", None)
    points = numpy.asarray(positions, dtype="float64")
    vectors = None if cell is None else numpy.asarray(cell, dtype="float64")
    if vectors is not None and vectors.shape == (3,):
        vectors = numpy.diag(vectors)
    if isinstance(cutoff, dict):
        largest = max(cutoff.values(), default=0.0)
    else:
        cutoff = numpy.asarray(cutoff, dtype="float64")
        largest = 2 * cutoff.max(initial=0.0) if cutoff.ndim else float(cutoff)
        if cutoff.ndim and cutoff.shape != (len(points),):
            raise Error(f"neighbors: cutoff has the shape {cutoff.shape}, expected one length or ({len(points)},).")
    found = periodic_neighbors(
        points,
        largest,
        vectors,
        pbc,
        include_self=self_interaction,
        distances=True,
        displacements="D" in quantities,
    )
    i, j = found.edge_index
    values = {"i": i, "j": j, "d": found.distances, "D": found.displacements, "S": found.shifts}
    if isinstance(cutoff, dict) or cutoff.ndim:
        each = _cutoffs_of_elements(cutoff, atoms, numbers, i, j) if isinstance(cutoff, dict) else cutoff[i] + cutoff[j]
        near = found.distances < each
        values = {letter: values[letter][near] for letter in quantities}
    result = tuple(values[letter] for letter in quantities)
    return result if len(result) > 1 else result[0]
