# SPDX-License-Identifier: Apache-2.0
"""Readable numbers: round limits, SI prefixes, names of arrays."""

import math

#: Label and unit of arrays of the output; other arrays are labeled by their name.
ARRAYS = {
    "pressure": ("Pressure", "Pa"),
    "velocity": ("Speed", "m/s"),
    "density": ("Density", "kg/m³"),
    "energy": ("Internal energy", "J/kg"),
    "viscosity": ("Viscosity", "Pa s"),
    "vorticity": ("Vorticity", "1/s"),
    "wall_distance": ("Distance to the nearest wall", "m"),
    "material": ("Material", ""),
    "body": ("Body with the nearest wall", ""),
    "wall": ("Nearest wall", ""),
}

#: Units that take an SI prefix.
PREFIXED = {"s", "m", "Pa", "J", "N", "J/kg"}
PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}


def label_of(name):
    label, unit = ARRAYS.get(name, (name.replace("_", " ").capitalize(), ""))
    return label, unit


def prefixed(unit, size):
    """(factor, unit): values of about `size` times the factor are between 1 and 1000 in the returned unit."""
    if unit not in PREFIXED or not size or not math.isfinite(size):
        return 1.0, unit
    exponent = 3 * math.floor(math.log10(abs(size)) / 3 + 1e-9)
    if unit in ("s", "m") and (exponent > 0 or abs(size) > 0.0999999):
        exponent = 0  # not kiloseconds, and 0.4 s instead of 400 ms
    exponent = max(-9, min(9, exponent))
    return 10.0**-exponent, PREFIXES[exponent] + unit


def shown(value, unit="", digits=4):
    """Text of a value with its unit, as in "12.3 kPa"."""
    if value is None or not math.isfinite(value):
        return "–"
    factor, unit = prefixed(unit, value)
    text = f"{value * factor:.{digits}g}"
    if float(value).is_integer() and 1000 <= abs(value) < 1e6 and factor == 1:
        text = grouped(value)
    elif "e" in text:
        mantissa, exponent = f"{value * factor:.{min(digits, 4) - 1}e}".split("e")
        text = f"{mantissa} × 10{superscript(int(exponent))}"
    return f"{text.replace('-', '−')}\u202f{unit}".rstrip("\u202f")


def grouped(count):
    return f"{int(count):,}".replace(",", "\u202f")


def superscript(number):
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def round_up(value):
    """Next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten, away from zero."""
    if not value:
        return 0.0
    power = 10.0 ** math.floor(math.log10(abs(value)))
    steps = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    step = next(step for step in steps if abs(value) / power <= step * (1 + 1e-9))
    return math.copysign(float(f"{step * power:.6g}"), value)
