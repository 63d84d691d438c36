#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults at the writes of a small run: the process is killed, the disk is full, or a write fails.

  faults.py --shoal PROGRAM --shim LIBRARY --case CASE.toml [--points N] [--all] [--kinds KIND...]

After each fault, `shoal resume` must leave the bits of an undisturbed run, or end with a clear error that names a file,
with nothing lost that a restart claims. Every run counts; the exit status is 1 if one fails.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

TIMEOUT = 60  # s, of one run that needs a fraction of a second


def bits_of(file):
    """Content of an output file that two equal runs share."""
    if file.suffix in (".h5", ".vtkhdf"):
        content = {}

        def add(name, item):
            for key, value in item.attrs.items():
                content[name, key] = bytes(value) if hasattr(value, "tobytes") else value
            if isinstance(item, h5py.Dataset):
                content[name] = (item.shape, item[()].tobytes())
        with h5py.File(file) as opened:
            add("", opened)
            opened.visititems(add)
        return content
    return file.read_bytes()


def outputs_of(folder):
    content = {}
    for file in sorted(folder.iterdir()):
        if file.suffix in (".csv", ".h5", ".vtkhdf", ".npy", ".toml"):
            try:
                content[file.name] = bits_of(file)
            except OSError as error:
                content[file.name] = f"unreadable: {error}"
    return content


def differences(expected, folder):
    given = outputs_of(folder)
    return [name for name in sorted(expected.keys() | given.keys()) if expected.get(name) != given.get(name)]


def states_are_whole(file):
    """True if every state that NSteps announces can be read."""
    try:
        with h5py.File(file) as opened:
            steps = opened["VTKHDF/Steps"]
            count = steps.attrs["NSteps"]
            for state in range(count):
                first = steps["PointOffsets"][state]
                points = opened["VTKHDF/NumberOfPoints"][steps["PartOffsets"][state]]
                if len(opened["VTKHDF/Points"][first:first + points]) != points:
                    return False
        return True
    except (OSError, KeyError, IndexError, RuntimeError):
        return False


class Faults:
    def __init__(self, arguments, folder):
        self.shoal, self.shim, self.case = arguments.shoal, arguments.shim, arguments.case
        self.folder = folder
        self.failures = []
        self.counts = {}
        self.unreadable = 0
        self.reference = folder / "reference"
        self.require_done(self.run(self.reference))
        self.expected = outputs_of(self.reference)
        counter = folder / "calls"
        self.require_done(self.run(folder / "counted", {"SHOAL_FAULT_COUNT": str(counter)}))
        if outputs_of(folder / "counted") != self.expected:
            sys.exit("two undisturbed runs differ")
        self.calls = int(counter.read_text())

    @staticmethod
    def require_done(result):
        if result.returncode:
            sys.exit(f"an undisturbed run failed: {result.stderr}")

    def call(self, arguments, out, fault=None):
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        if fault:
            environment.update(fault, LD_PRELOAD=str(self.shim), SHOAL_FAULT_FOLDER=str(out))
        return subprocess.run([self.shoal, *arguments, "--device", "cpu", "--threads", "1", "--quiet"], env=environment,
                              capture_output=True, text=True, timeout=TIMEOUT)

    def run(self, out, fault=None):
        shutil.rmtree(out, ignore_errors=True)
        return self.call(["run", str(self.case), "--out", str(out)], out, fault)

    def resume(self, out, fault=None):
        return self.call(["resume", str(out)], out, fault)

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def fail(self, what, message):
        self.failures.append(f"{what}: {message}")
        print(f"FAILED {what}: {message}", flush=True)

    def check_resumed(self, what, out, result):
        """What a resumed run leaves: the bits of the undisturbed one, or an error that names a file."""
        if result.returncode == 0:
            different = differences(self.expected, out)
            if different:
                return self.fail(what, f"other bits in {', '.join(different)}")
            return self.count("same bits")
        message = result.stderr.strip()
        if result.returncode < 0 or not any(name in message for name in (*self.expected, str(out))):
            return self.fail(what, f"exit {result.returncode}: {message}")
        if not (out / "restart.h5").exists():
            return self.count("no restart yet")
        return self.fail(what, f"a restart that cannot be resumed: {message}")

    def one(self, kind, number):
        what = f"{kind} at call {number}"
        out = self.folder / "run"
        result = self.run(out, {"SHOAL_FAULT_CALL": str(number), "SHOAL_FAULT_KIND": kind})
        was_killed = result.returncode == -signal.SIGKILL
        if kind in ("kill", "tear") and not was_killed:
            return self.fail(what, f"exit {result.returncode}, expected a kill: {result.stderr}")
        if kind not in ("kill", "tear") and result.returncode not in (0, 1, 2, 3):
            return self.fail(what, f"exit {result.returncode}: {result.stderr}")
        fields = out / "fields.vtkhdf"
        if fields.exists() and not states_are_whole(fields):
            self.unreadable += 1
        if number % 5 == 0 and was_killed:  # killed again while it resumes
            self.resume(out, {"SHOAL_FAULT_CALL": str(number % 37 + 1), "SHOAL_FAULT_KIND": "kill"})
        return self.check_resumed(what, out, self.resume(out))

    def two_processes(self):
        """A second run in the folder of a running one is refused and changes nothing."""
        out = self.folder / "shared"
        shutil.rmtree(out, ignore_errors=True)
        command = [self.shoal, "run", str(self.case), "--out", str(out), "--device", "cpu", "--threads", "1", "--quiet"]
        first = subprocess.Popen([*command, "--set", "run.duration=1"])
        for _ in range(500):
            if (out / "restart.h5").exists():
                break
            time.sleep(0.01)
        for arguments in (["run", str(self.case), "--out", str(out), "--force"], ["resume", str(out)]):
            second = self.call(arguments, out)
            if second.returncode == 0 or "another run writes into this folder" not in second.stderr:
                self.fail("two processes", f"{arguments[0]}: exit {second.returncode}: {second.stderr}")
            else:
                self.count("second process refused")
        first.send_signal(signal.SIGINT)
        first.wait(TIMEOUT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shoal", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--case", required=True, type=pathlib.Path)
    parser.add_argument("--points", type=int, default=100, help="calls that are tried for each kind of fault")
    parser.add_argument("--all", action="store_true", help="tries every call")
    parser.add_argument("--kinds", nargs="+", default=["kill", "tear", "ENOSPC", "EIO"])
    arguments = parser.parse_args()
    memory = "/dev/shm"  # of Linux, where writing to the disk takes no time
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        faults = Faults(arguments, pathlib.Path(folder))
        step = 1 if arguments.all else max(1, faults.calls / arguments.points)
        tried = 0
        for offset, kind in enumerate(arguments.kinds):
            number = 1 + offset * step / len(arguments.kinds)
            while number <= faults.calls:
                faults.one(kind, int(number))
                tried += 1
                number += step
        faults.two_processes()
    print(f"{tried} faults at {faults.calls} calls: "
          + ", ".join(f"{count} {what}" for what, count in sorted(faults.counts.items()))
          + f"; {len(faults.failures)} failed; fields unreadable before the resume: {faults.unreadable}")
    sys.exit(bool(faults.failures))


if __name__ == "__main__":
    main()
