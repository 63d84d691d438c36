#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one site of the documentation of all releases and of this checkout, which `tools/docs` has built.

    tools/site_versions.py [--site build/docs/site] [--page build/docs/html]

A release is a tag such as v0.2.0. Its folder in the site is made once, by `tools/docs` of the tag itself in a checkout of its
own; a folder that is there stays as it is. The folder `development` is the documentation of this checkout, and `stable`
leads to the newest release. The list of versions is versions.js, which docs/site/versions.html reads.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEVELOPMENT = "development"


def releases(repository):
    """Versions that have a tag, from the newest to the oldest."""
    tags = subprocess.run(["git", "tag", "--list", "v*"], cwd=repository, check=True, capture_output=True, text=True)
    versions = [tag[1:] for tag in tags.stdout.split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    return sorted(versions, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def build_release(repository, version, site):
    """Builds the documentation of a tag in a checkout of its own, which is removed afterwards."""
    checkout = site.parent / f"checkout-{version}"
    subprocess.run(["git", "worktree", "add", "--force", "--detach", checkout, f"v{version}"], cwd=repository, check=True)
    try:
        environment = {name: value for name, value in os.environ.items() if name != "SHOAL_DOCS_PACKAGE"}
        environment["SHOAL_DOCS_VERSION"] = version
        subprocess.run([checkout / "tools/docs"], cwd=checkout, env=environment, check=True)
        shutil.copytree(checkout / "build/docs/html", site / version)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", checkout], cwd=repository, check=True)


def pages_of(folder):
    """Names of the pages of a version, without .html."""
    return sorted(str(page.relative_to(folder).with_suffix("")) for page in folder.rglob("*.html"))


def write_redirect(file, target):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'<!doctype html><meta charset="utf-8"><title>shoal</title><meta http-equiv="refresh" content="0; url={target}">'
        f'<link rel="canonical" href="{target}"><a href="{target}">shoal</a>\n',
        encoding="utf-8",
    )


def write_versions(site, versions):
    """Writes the list of versions, and the pages that lead to the newest release, or to the checkout without one."""
    stable = next((version for version in versions if version != DEVELOPMENT), None)
    known = {"stable": stable, "pages": {version: pages_of(site / version) for version in versions}}
    (site / "versions.js").write_text(f"window.shoalVersions = {json.dumps(known)};\n", encoding="utf-8")
    write_redirect(site / "index.html", f"{stable or DEVELOPMENT}/index.html")
    if stable:
        write_redirect(site / "stable/index.html", f"../{stable}/index.html")


def make_site(repository, page, site):
    site.mkdir(parents=True, exist_ok=True)
    versions = releases(repository)
    for version in versions:
        if not (site / version).exists():
            build_release(repository, version, site)
    shutil.rmtree(site / DEVELOPMENT, ignore_errors=True)
    shutil.copytree(page, site / DEVELOPMENT)
    write_versions(site, [DEVELOPMENT, *versions])
    return [DEVELOPMENT, *versions]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=ROOT / "build/docs/site")
    parser.add_argument("--page", type=Path, default=ROOT / "build/docs/html", help="documentation of this checkout")
    options = parser.parse_args()
    if not (options.page / "index.html").exists():
        sys.exit(f"site_versions: {options.page} has no index.html. Run tools/docs first.")
    print(f"{options.site.resolve()}: {', '.join(make_site(ROOT, options.page, options.site.resolve()))}")


if __name__ == "__main__":
    main()
