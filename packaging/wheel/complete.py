#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds to a wheel of tools/build-wheel the licenses of all libraries in it, and a list of those that are compiled into it,
with versions (CycloneDX, PEP 770). auditwheel adds a list of the libraries that it copies: fmt, toml++ and libgomp. Makes
the wheels of shoal and of its plugin require each other in the same version."""

import argparse
import base64
import csv
import dataclasses
import hashlib
import importlib.metadata
import io
import json
import platform
import re
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    license: str  # expression of SPDX
    version: str
    purl: str  # package URL of the source
    texts: tuple[Path, ...]  # files with the license


def from_source(name: str, license: str, source: Path, text: str) -> Library:
    """A library built from an unpacked source package."""
    first = (source / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
    package, version = re.match(r"(\S+) \((\S+)\)", first).groups()
    return Library(name, license, version, debian_purl(package, version), (source / text,))


def from_package(name: str, license: str, package: str, *more: Path) -> Library:
    """A library of an installed package of the distribution."""
    form = "${source:Package} ${source:Version}"
    answer = subprocess.run(["dpkg-query", "-W", "-f", form, package], check=True, capture_output=True, text=True)
    source, version = answer.stdout.split()
    texts = (Path("/usr/share/doc", package, "copyright"), *more)
    return Library(name, license, version, debian_purl(source, version), texts)


def from_pip(name: str, license: str) -> Library:
    """A library that pip installed."""
    distribution = importlib.metadata.distribution(name)
    texts = tuple(Path(file.locate()) for file in distribution.files if file.stem == "LICENSE" and "dist-info" in str(file))
    return Library(name, license, distribution.version, f"pkg:pypi/{name}@{distribution.version}", texts)


def from_cuda(toolkit: Path) -> Library:
    """The CUDA runtime and the headers of a toolkit, one that NVIDIA's installer made or one of packages of pip."""
    answer = subprocess.run([toolkit / "bin/nvcc", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"V(\d[\d.]*)", answer).group(1)
    texts = [toolkit / "EULA.txt", *toolkit.glob("**/nvidia_cuda_runtime-*.dist-info/licenses/License.txt")]
    present = tuple(text for text in texts if text.exists())[:1]
    return Library("CUDA", "LicenseRef-NVIDIA-CUDA", version, f"pkg:generic/nvidia/cuda-toolkit@{version}", present)


def debian_purl(package: str, version: str) -> str:
    return f"pkg:deb/{platform.freedesktop_os_release()['ID']}/{package}@{version.replace('+', '%2B')}?arch=source"


def compiled_in(static: Path) -> list[Library]:
    return [
        from_source("HDF5", "BSD-3-Clause", static / "hdf5", "COPYING"),
        from_source("CGNS", "Zlib", static / "libcgns", "license.txt"),
        from_package("CLI11", "BSD-3-Clause", "libcli11-dev"),
        from_package("kissfft", "BSD-3-Clause", "libkissfft-dev"),
        from_pip("nanobind", "BSD-3-Clause"),
        from_pip("jaxlib", "Apache-2.0"),  # headers of XLA
    ]


def copied() -> list[Library]:
    text = Path("/usr/share/common-licenses/GPL-3")
    return [
        from_package("fmt", "MIT", "libfmt-dev"),
        from_package("toml++", "MIT", "libtomlplusplus-dev"),
        from_package("libgomp", "GPL-3.0-or-later WITH GCC-exception-3.1", "libgomp1", text),
    ]


def list_of_libraries(project: str, version: str, parts: list[Library]) -> str:
    """The content of the CycloneDX file."""
    components = [
        {"type": "library", "name": part.name, "version": part.version, "purl": part.purl,
         "licenses": [{"expression": part.license}]}
        for part in parts
    ]  # fmt: skip
    shoal = {"type": "library", "name": project, "version": version, "purl": f"pkg:pypi/{project}@{version}"}
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1}
    return json.dumps(head | {"metadata": {"component": shoal}, "components": components}, indent=1) + "\n"


def with_licenses(metadata: str, parts: list[Library], names: list[str]) -> str:
    """METADATA with the license of all that the wheel contains, and its files."""
    head, separator, description = metadata.partition("\n\n")
    expression = " AND ".join(dict.fromkeys(["Apache-2.0", *(part.license for part in parts)]))
    head, count = re.subn(r"(?m)^License-Expression: .*$", f"License-Expression: {expression}", head)
    if count != 1:
        raise SystemExit(f"the wheel's METADATA has {count} lines License-Expression; expected one")
    return head + "".join(f"\nLicense-File: {name}" for name in names) + separator + description


def with_same_version(metadata: str, name: str, version: str) -> str:
    """METADATA in which shoal and its plugin require each other in one version."""
    if name == "shoal":
        return re.sub(r"(?m)^(Requires-Dist: shoal-cuda\d+)(;|$)", rf"\1=={version}\2", metadata)
    head, separator, description = metadata.partition("\n\n")
    return f"{head}\nRequires-Dist: shoal=={version}{separator}{description}"


def record(files: dict[str, bytes], name: str) -> bytes:
    """The wheel's table of contents."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([path, f"sha256={digest}", len(content)])
    rows.writerow([name, "", ""])
    return text.getvalue().encode()


def complete(wheel: Path, inside: list[Library], beside: list[Library]) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entries = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
        files = {name: archive.read(name) for name in entries}
    folder = next(name for name in files if name.endswith(".dist-info/METADATA")).removesuffix("/METADATA")
    del files[f"{folder}/RECORD"]
    names = []
    for part in (*inside, *beside):
        if not part.texts:
            raise SystemExit(f"{part.name}: no file with its license was found")
        for text in part.texts:
            names.append(f"libraries/{part.name}/{text.name}")
            files[f"{folder}/licenses/{names[-1]}"] = text.read_bytes()
    project, version = re.fullmatch(r"(.*)-(.*)\.dist-info", folder).groups()
    for text in () if f"{folder}/licenses/LICENSE" in files else (ROOT / "LICENSE", ROOT / "NOTICE"):
        names.append(text.name)
        files[f"{folder}/licenses/{text.name}"] = text.read_bytes()
    files[f"{folder}/sboms/{project}.cdx.json"] = list_of_libraries(project.replace("_", "-"), version, inside).encode()
    metadata = with_same_version(files[f"{folder}/METADATA"].decode(), project, version)
    files[f"{folder}/METADATA"] = with_licenses(metadata, [*inside, *beside], names).encode()
    files[f"{folder}/RECORD"] = record(files, f"{folder}/RECORD")
    date = entries[f"{folder}/METADATA"].date_time
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = entries[name].external_attr if name in entries else 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--static", type=Path, required=True, help="folder with the sources of HDF5 and CGNS")
    parser.add_argument("--cuda", type=Path, help="folder of the CUDA toolkit, if the wheel has CUDA methods")
    options = parser.parse_args()
    cuda = [from_cuda(options.cuda)] if options.cuda else []
    complete(options.wheel, [*compiled_in(options.static), *cuda], copied())


if __name__ == "__main__":
    main()
