#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what pages name: links, paths of the repository, names of the C++ API, commands and their options.

Sources are checked for the pages that they name.

    tests/docs/check_pages.py [--shoal build/cpu/cli/shoal]

Without the program, only its external commands are checked.
Prints one line for each name that does not exist and exits with 1.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "packaging/wheel/README.md")),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "cases").rglob("*.md"),
    ]
)
TOP = "benchmarks|cases|cli|cmake|docs|examples|include|packaging|python|src|tests|tools"
SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".toml", ".cmake", ".txt"}
PATH = re.compile(rf"^(?:{TOP})/[\w./<>*{{}},-]+$")
EXTERNAL_COMMANDS = {
    "report": "python/shoal/report/command.py",
    "plot": "python/shoal/plot.py",
    "movie": "python/shoal/movie.py",
    "view": "python/shoal/view.py",
    "bench": "benchmarks/papers/**/*.cpp",
}  # whose programs need not be installed: their sources have the options
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def lines_of(page, text, position):
    return f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, position) + 1}"


def anchor_of(heading):
    """The anchor that GitHub and MyST make of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@functools.cache
def anchors_of(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def broken_links(page, text):
    for link in LINK.finditer(FENCE.sub(lambda fence: "\n" * fence.group(0).count("\n"), text)):
        target, _, anchor = link.group(1).partition("#")
        if re.match(r"\w+:", target):
            continue
        path = (page.parent / target).resolve() if target else page
        where = f"{page.relative_to(ROOT)}: link {link.group(1)}"
        if not path.exists():
            yield f"{where}: there is no {target}"
        elif anchor and path.suffix == ".md" and anchor not in anchors_of(path):
            yield f"{where}: {path.name} has no heading #{anchor}"


def exists(name):
    """True if a path exists; <operation>, * and {a,b} stand for any or several names."""
    name = name.rstrip("/.,")
    braces = re.search(r"\{([^}]*)\}", name)
    if braces:
        return all(exists(name[: braces.start()] + part + name[braces.end() :]) for part in braces.group(1).split(","))
    if re.search(r"[<*]", name):
        return any(ROOT.glob(re.sub(r"<\w+>", "*", name)))
    return (ROOT / name).exists()


def is_output(name):
    """True for files that builds, runs and users make."""
    return name.startswith(("benchmarks/results/<", "docs/html"))


def missing_paths(page, text):
    for code in re.finditer(r"`([^`\n]+)`", FENCE.sub(lambda fence: "\n" * fence.group(0).count("\n"), text)):
        name = code.group(1).split("#")[0].split(":")[0]
        if PATH.match(name) and not is_output(name) and not exists(name):
            yield f"{lines_of(page, text, 0).rsplit(':', 1)[0]}: there is no {name}"


@functools.cache
def words_of_headers():
    headers = (ROOT / "include").rglob("*.hpp")
    return set(re.findall(r"\w+", "\n".join(header.read_text(encoding="utf-8") for header in headers)))


def missing_names(page, text):
    """Names such as shoal::io::read_case that no public header has, except CMake targets."""
    code = re.sub(r"^.*(?:target_link_libraries|find_package).*$", "", text, flags=re.MULTILINE)
    for name in re.findall(r"\bshoal(?:::\w+)+", code):
        if name not in ("shoal::shoal", "shoal::io", "shoal::mpi") and name.split("::")[-1] not in words_of_headers():
            yield f"{page.relative_to(ROOT)}: the public headers have no {name}"


def pages_missing_in_sources():
    """Pages named in sources that do not exist."""
    for folder in TOP.split("|"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            for name in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8")):
                if not (ROOT / name).exists():
                    yield f"{path.relative_to(ROOT)}: there is no {name}"


def commands_of(text):
    """Command lines of shell blocks and of inline code, continuation lines joined, comments removed."""
    blocks = [block for language, block in FENCE.findall(text) if language == "sh"]
    blocks += re.findall(r"^    (shoal .*)$", text, re.MULTILINE)
    blocks += re.findall(r"`((?:shoal|shoal-bench|tools/[\w.-]+) [^`\n]*)`", text)
    for block in blocks:
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            command = re.split(r"\s#|\s{4,}", line.strip())[0]
            yield from (part.strip() for part in re.split(r"&&|\||;", command))


@functools.cache
def help_of(shoal, subcommand):
    """The help text of a subcommand or the sources of an external one; empty if there is none, None if unknown."""
    if subcommand in EXTERNAL_COMMANDS:
        sources = ROOT.glob(EXTERNAL_COMMANDS[subcommand])
        return "\n".join(source.read_text(encoding="utf-8") for source in sources)
    if not shoal:
        return None
    run = subprocess.run([shoal, subcommand, "--help"], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else ""


def unknown_commands(page, text, shoal):
    name = page.relative_to(ROOT)
    for command in commands_of(text):
        words = [word for word in command.split() if not re.match(r"^\w+=", word)]
        if not words:
            continue
        options = [re.match(r"--[\w-]+", word).group(0) for word in words[1:] if re.match(r"--[a-z]", word)]
        if words[0].startswith("tools/"):
            script = ROOT / words[0]
            if not script.is_file() or not os.access(script, os.X_OK):
                yield f"{name}: {command}: there is no program {words[0]}"
                continue
            known = script.read_text(encoding="utf-8")
        elif words[0] == "shoal" and len(words) > 1 and re.fullmatch(r"[a-z][a-z-]*", words[1]):
            known = help_of(shoal, words[1])
            if known is None:
                continue
            if not known:
                yield f"{name}: {command}: there is no command shoal {words[1]}"
                continue
        else:
            continue
        for option in options:
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", known):
                yield f"{name}: {command}: {' '.join(words[:2])} has no option {option}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shoal", default="", help="the program, for its subcommands and options")
    shoal = parser.parse_args().shoal
    problems = list(pages_missing_in_sources())
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        problems += [
            *broken_links(page, text),
            *missing_paths(page, text),
            *missing_names(page, text),
            *unknown_commands(page, text, shoal),
        ]
    print("\n".join(dict.fromkeys(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
