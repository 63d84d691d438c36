#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the mechanical part of the language that sources and pages are written in.

  tools/check_language.py [--commits BASE] [FILE...]     without files: all that git tracks

Reports spellings and words that have a standard term, comments that begin without a noun or a verb, and, with --commits,
subjects of the commits after BASE that are longer than 72 characters. Exits with 1 if it reports anything.

A word that a file has on purpose stands in KEPT below: the old name of a renamed key, a misspelling that a test gives as
input, a member of a public struct. An entry of KEPT that its file no longer has is reported too.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".h"}
TEXTS = SOURCES | {".py", ".md", ".toml", ".cmake", ".txt", ".js", ".css", ".html", ".sh", ""}

# Data, the license, and pages that quote the words in order to replace them.
EXEMPT = re.compile(r"^(benchmarks/results/|LICENSE|tools/check_language\.py|cases/.*/reference/.*\.csv|docs/glossary\.md)")

# A pattern, and what to write instead. Matched without regard to case, in names as well as in prose.
WORDS = [
    (r"neighbour", "neighbor"),
    (r"centre", "center"),
    (r"colour", "color"),
    (r"(?<![a-z])(kilo|centi|milli|micro|nano)?metres?(?![a-z])", "meter"),
    (r"behaviour", "behavior"),
    (r"aerofoil", "airfoil"),
    (r"(?<![a-z])grey(?![a-z])", "gray"),
    (r"(?<![a-z])licences?(?![a-z])", "license"),
    (r"(initial|normal|organ|optim|recogn|symmetr|factor|vector|summar|parameter|serial|minim|maxim|general|visual|"
     r"synchron|discret|quant|raster|fluid|special|paralle?l|linear|character|stabil|util|local|equal|material|digit)"
     r"is(e|es|ed|er|ing|ation|ations)(?![a-z])", "-ize, -ization"),
    (r"(?<![a-z])(labelled|modelled|cancelled|travell[a-z]+)", "one l: labeled, modeled, canceled, traveled"),
    (r"twofold(?![a-z])", "DoubleDouble"),
    (r"(?<![a-z])sights?(?![a-z])", "distance, view"),
    (r"(?<![a-z])proofs?(?![a-z])", "certificate"),
    (r"(?<![a-z])ledgers?(?![a-z])", "balance"),
    (r"(?<![a-z])blow-?ups?(?![a-z])|(?<![a-z])(blew|blows|blown) up", "divergence, unstable"),
    (r"(?<![a-z])(to|from|list)_words?(?![a-z])", "to_name, from_name, list_names"),
    (r"SHOAL_RUN(?![a-z])", "backend()"),
    (r"(?<![a-z])_?rows\(\)", "method_table()"),
    (r"to and fro|without more ado|had better|worked off", "plain English"),
]
# Words of comments and pages only: an identifier may need them.
PROSE = [
    (r"\b(this|the|its|a|each) cards?\b", "method notes"),
    (r"\b(a|the|one) row of (the|its|a) (method )?table\b", "method, table entry"),
    (r"\bto the bit\b", "bit for bit"),
]
MEMBER = re.compile(r"///< ?(of|to|with|in|for|at|from|where|whose|what|whether|how|that|by|on)\b", re.IGNORECASE)
BLOCK = re.compile(r"^\s*///? ?(What|Whether|Where|Who|Whose|How|That|Of|Goes|With|From|To) ")
# A declaration whose name says nothing alone: `const Box of = ...`, `(int at, ...)`.
EMPTY_NAMES = "(of|at|to|its|all|own|here|other|found|asked|mine)"
NAME = re.compile(rf"(?!return|case|co_return)\b[\w:]*[\w>] ?[&*]* {EMPTY_NAMES}(?= ?[=;,){{\[:(])")
BOUND_NAMES = re.compile(rf"\bauto ?&* ?\[(\w+, )*{EMPTY_NAMES}\b")  # `auto [array, to] = ...`
# Names that NAME reports and that stay: the element access of the standard library's containers, `T at(std::int64_t i)`, and
# members of public structs, which callers write in their code.
ELEMENT_ACCESS = re.compile(r" at\((?:const )?[\w:<>]+&? \w+[,)]")
PUBLIC_NAMES = re.compile(r"\bWallDistanceTo to\b|\bVector (at|to)\b|\bLineQuantity of\b")
# Files and the words in them that are not reported.
KEPT = {
    "benchmarks/peers/codes.py": ["neighbour"],  # name of a module of matscipy
    "docs/meshes.md": ["neighbour"],  # a file of OpenFOAM
    "include/shoal/io/mesh_file.hpp": ["3> to"],  # IndexWall::to, beside IndexWall::from
    "include/shoal/io/validation.hpp": ["double> to"],  # Check::to, beside Check::from, both keys of validation.toml
    "include/shoal/mpi.hpp": ["Communicator of"],  # mpi::of(comm), which reads as it does in Python
    "src/mpi/world.cpp": ["Communicator of"],
    "src/io/mesh/openfoam/poly_mesh.cpp": ["neighbour"],  # a file of OpenFOAM
    "src/io/mesh/openfoam/poly_mesh.hpp": ["neighbour"],  # a file of OpenFOAM
    "src/io/case/keys/renamed_keys.hpp": ["ledger"],  # key of earlier versions
    "tests/docs/check_language_test.py": ["centre", "colour"],  # words that this script must report
    "tests/fuzz/targets.cpp": ["neighbour"],  # a file of OpenFOAM
    "tests/io/case/case_shape_test.cpp": ["centre"],  # misspelled key, which the message must name
    "tests/io/case/sph_keys_test.cpp": ["ledger"],  # key of earlier versions, whose message is tested
    "tests/io/mesh/openfoam/foam_cases.hpp": ["neighbour"],  # a file of OpenFOAM
    "tests/io/mesh/openfoam/mesh_openfoam_collated_test.cpp": ["neighbour"],  # a file of OpenFOAM
    "tests/io/mesh/openfoam/mesh_openfoam_test.cpp": ["neighbour"],  # a file of OpenFOAM
    "tests/python/test_wall_distance.py": ["neighbour"],  # a file of OpenFOAM
}
STRING = re.compile(r'"(\\.|[^"\\])*"')
SUBJECT_LENGTH = 72


def tracked_files():
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in listing.splitlines() if name]


def is_comment(line, suffix):
    stripped = line.strip()
    return stripped.startswith("//") if suffix in SOURCES else stripped.startswith("#")


def found_in(words, text):
    """Those of `words` that occur in the text, in small letters: most do not, and lines are not searched for them."""
    return [(pattern, term) for pattern, term in words if re.search(pattern.lower(), text)]


def findings_of_line(line, previous, suffix, words=WORDS, prose=PROSE):
    """Yields what is wrong with a line, each a pair of the word and the advice; `previous` is the line before it."""
    for pattern, term in words:
        match = re.search(pattern, line, re.IGNORECASE)
        if match:
            yield match.group(0), f"write {term}"
    if suffix not in SOURCES or "//" in line:
        for pattern, term in prose:
            match = re.search(pattern, line, re.IGNORECASE)
            if match:
                yield match.group(0), f"write {term}"
    if suffix not in SOURCES:
        return
    if MEMBER.search(line):
        yield "///<", "a member's comment begins with its noun, not with a preposition or a question word"
    code = STRING.sub('""', line.split("//")[0])
    name = NAME.search(code) or BOUND_NAMES.search(code)
    is_kept = name and (ELEMENT_ACCESS.match(line, name.end() - len(" at")) or PUBLIC_NAMES.fullmatch(name.group(0)))
    if name and not is_kept and not re.match(r"\s*(return|using)\b", line):
        yield name.group(0), "a name is a noun with a meaning"
    if BLOCK.match(line) and not is_comment(previous, suffix):
        yield line.split()[0], "a comment begins with a noun phrase or a verb in the third person"


def check_file(name):
    path = ROOT / name
    if EXEMPT.match(name) or path.suffix not in TEXTS or not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    kept = KEPT.get(name, [])
    unused = set(kept)
    found = []
    previous = ""
    words, prose = (found_in(words, text.lower()) for words in (WORDS, PROSE))
    for number, line in enumerate(text.splitlines(), 1):
        for word, advice in findings_of_line(line, previous, path.suffix, words, prose):
            if word in kept:
                unused.discard(word)
            else:
                found.append(f"{name}:{number}: `{word}`: {advice}")
        previous = line
    return found + [f"{name}: no `{word}`; remove it from KEPT of tools/check_language.py" for word in sorted(unused)]


def check_commits(base):
    log = subprocess.run(["git", "log", "--format=%h %s", f"{base}..HEAD"], cwd=ROOT, capture_output=True, text=True)
    if log.returncode != 0:
        return []  # a shallow clone does not have the base
    found = []
    for line in log.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > SUBJECT_LENGTH:
            found.append(f"commit {commit}: the subject has {len(subject)} characters, at most {SUBJECT_LENGTH}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--commits", metavar="BASE", help="also check the subjects of the commits after BASE")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    found = []
    for name in arguments.files or tracked_files():
        found += check_file(name)
    if arguments.commits:
        found += check_commits(arguments.commits)
    print("\n".join(found))
    print(f"check_language: {len(found)} findings" if found else "check_language: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
