#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tools/reproduce with programs that print what those of a build print, in no time."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import measured_sources  # noqa: E402
import reproduction  # noqa: E402
import reproduction_files  # noqa: E402
import reproduction_ranks  # noqa: E402
import result_files  # noqa: E402

BENCH = """
    import pathlib, sys
    folder = pathlib.Path(__file__).parent
    commit, machine, driver = (folder / "origin").read_text().split("|")
    header = ["schema: 1", "machine: " + machine, "driver: " + driver, "compiler: none", "commit: " + commit,
              "date: 2026-11-23T18:30:00Z", "command: shoal-bench"]
    if "--origin" in sys.argv:
        print(*header, sep="\\n")
        sys.exit()
    if sys.argv[1] == "deposit":
        sys.exit("out of luck")
    out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
    method = sys.argv[sys.argv.index("--methods") + 1] if "--methods" in sys.argv else "all"
    rows = "method,time [s]\\n" + method + ",1\\n"
    (out / "table1.csv").write_text("".join("# " + line + "\\n" for line in header) + rows)
    for plot in ("table1.svg", "figure1_by_" + method + ".svg"):
        (out / plot).write_text("<svg/>")
    with (folder / "calls").open("a") as calls:
        print(*sys.argv[1:], file=calls)
"""
BENCHMARK = """
    import json, pathlib, re, sys
    names = ["step/rows/cuda/5/real_time", "step/list/cuda/5/real_time"]
    names = names if "sph" in __file__ else ["find/rows/cpu/10/real_time", "find/rows/cpu/100/real_time", "find/serial/cpu/10/real_time"]
    if "--benchmark_list_tests" in sys.argv:
        print(*names, sep="\\n")
        sys.exit()
    options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    chosen = [name for name in names if re.search(options["--benchmark_filter"], name)]
    entries = [{"name": name, "real_time": 2.0, "time_unit": "ms"} for name in chosen]
    context = {"date": "2026-11-23T20:30:00+02:00", "host_name": "vm", "library_build_type": "release",
               "commit": (pathlib.Path(__file__).parent / "commit").read_text()}
    pathlib.Path(options["--benchmark_out"]).write_text(json.dumps({"context": context, "benchmarks": entries}))
"""
SHOAL = """
    import json, pathlib, sys
    out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
    out.mkdir(exist_ok=True)
    if sys.argv[1] == "run":
        summary = {"particles": 5, "steps_of_this_run": 7, "evaluations_per_second": 9,
                   "seconds": {"solving": 1, "wall": 2}}
        (out / "summary.json").write_text(json.dumps(summary))
    else:
        (out / "checks.csv").write_text('case,run,computed,verdict\\n"' + sys.argv[2] + '","a","1, 2",FAIL\\n')
        sys.exit(1)
"""

SHOAL_ON_RANKS = """
    import json, pathlib, sys
    resumes = "resume" in sys.argv
    out = pathlib.Path(sys.argv[sys.argv.index("resume" if resumes else "--out") + 1])
    out.mkdir(exist_ok=resumes)
    (out / "summary.json").write_text(json.dumps({"particles": 5, "step": 7}))
    (out / "restart.h5").write_text(STATE)
"""
MPIRUN = """
    import subprocess, sys
    ranks, program = sys.argv[sys.argv.index("-n") + 1:][:2]
    words = sys.argv[sys.argv.index(program) + 1:]
    sys.exit(subprocess.run([program, "--ranks", ranks, *words], check=False).returncode)
"""
RANKS = """
    import pathlib, sys
    option = dict(zip(sys.argv[1:], sys.argv[2:]))
    header = ["schema: 1", "machine: m", "driver: d", "compiler: c", "commit: 0123456789ab", "date: 2026-11-23", "command: r"]
    row = [option["--case"], option["--ranks"], option["--particles"], option.get("--reference", "").split("/")[-1]]
    rows = "case,ranks,particles,reference\\n" + ",".join(row) + "\\n"
    pathlib.Path(option["--output"]).write_text("".join("# " + line + "\\n" for line in header) + rows)
"""
ON_THREADS = """
    import json, os, pathlib, sys
    if "--benchmark_list_tests" in sys.argv:
        sys.exit()
    options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    threads = int(os.environ["OMP_NUM_THREADS"])
    time = 8000 if threads == 1 else 16000 / threads
    entries = [{"name": options["--benchmark_filter"], "real_time": time, "time_unit": "us"}]
    pathlib.Path(options["--benchmark_out"]).write_text(json.dumps({"benchmarks": entries}))
"""
OPERATIONS = """
    import pathlib, sys
    option = dict(zip(sys.argv[1:], sys.argv[2:]))
    header = ["schema: 1", "machine: m", "driver: d", "compiler: c", "commit: 0123456789ab", "date: 2026-11-23", "command: r"]
    rate = 100 / int(option["--ranks"])
    row = ",".join(map(str, (option["--operation"], option["--ranks"], rate, CHECKSUM)))
    rows = "operation,ranks,items per GPU [1/s],checksum\\n" + row + "\\n"
    pathlib.Path(option["--output"]).write_text("".join("# " + line + "\\n" for line in header) + rows)
"""
GROWTH = """
    import pathlib, sys
    option = dict(zip(sys.argv[1:], sys.argv[2:]))
    header = ["schema: 1", "machine: m", "driver: d", "compiler: c", "commit: 0123456789ab", "date: 2026-11-23", "command: g"]
    rows = "operation,device,size\\n" + option["--operations"] + "," + option["--device"] + ",1000\\n"
    pathlib.Path(option["--output"]).write_text("".join("# " + line + "\\n" for line in header) + rows)
    (pathlib.Path(option["--plots"]) / (option["--operations"] + "_time.svg")).write_text("<svg/>")
"""


class Reproduce(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.build = self.folder / "build"
        self.program("cli/shoal-bench", BENCH)
        self.program("cli/shoal", SHOAL)
        self.program("benchmarks/shoal_find_benchmark", BENCHMARK)
        self.origin("0123456789ab")

    def program(self, name, text):
        path = self.build / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\n{textwrap.dedent(text)}", encoding="utf-8")
        path.chmod(0o755)

    def origin(self, commit, machine="Some(R) Processor @ 2.00GHz, 2 threads", driver="none"):
        (self.build / "cli/origin").write_text("|".join((commit, machine, driver)), encoding="utf-8")
        (self.build / "benchmarks/commit").write_text(commit, encoding="utf-8")

    def reproduce(self, *words, code=0):
        command = [sys.executable, ROOT / "tools/reproduce", "--build", self.build, "--results", self.folder, *words]
        path = f"{self.build / 'path'}:{os.environ['PATH']}"
        finished = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | {"PATH": path})
        self.assertEqual(finished.returncode, code, finished.stdout + finished.stderr)
        return finished.stdout + finished.stderr

    def result(self, name):
        return result_files.refuse_dirty(result_files.read(self.folder / "some-2-threads" / name))

    def test_lists_the_steps_and_how_long_they_take(self):
        listed = self.reproduce("--list")
        for step in ("benchmark/find/cpu/rows", "paper/sph", "runs/dam_break_case", "validation/sod"):
            self.assertRegex(listed, rf"(?m)^{step} +cpu +to do +roughly \d+ s$")
        self.assertNotIn("runs/dam_break_case_3", listed)  # for a GPU
        self.assertNotIn("peers", listed)  # the build has no Python package
        self.assertFalse((self.folder / "some-2-threads").exists())
        self.reproduce("--only", "paper/sph")
        self.assertRegex(self.reproduce("--list"), r"(?m)^paper/sph +cpu +done +\d\.\d s$")
        self.origin("ba9876543210")
        self.assertRegex(self.reproduce("--list"), r"(?m)^paper/sph +cpu +of 0123456789ab +\d\.\d s$")

    def test_takes_steps_in_the_order_of_their_names(self):
        listed = self.reproduce("--list", "--only", "runs", "benchmark/find/cpu/serial", "benchmark")
        names = [line.split(" ")[0] for line in listed.splitlines()[:-1]]
        self.assertTrue(names[0].startswith("runs/"))
        self.assertEqual(names[-2:], ["benchmark/find/cpu/serial", "benchmark/find/cpu/rows"])

    def test_takes_one_step_and_resumes(self):
        self.assertIn("[1/1] benchmark/find/cpu/rows: about 30 s", self.reproduce("--only", "benchmark/find/cpu/rows"))
        self.assertEqual([record["n"] for record in self.result("find.json").records], ["10", "100"])
        resumed = self.reproduce("--only", "benchmark")
        self.assertIn("benchmark/find/cpu/rows: done before", resumed)
        self.assertIn("benchmark/find/cpu/serial: about", resumed)
        file = self.result("find.json")
        self.assertEqual([(record["method"], record["n"]) for record in file.records],
                         [("rows", "10"), ("rows", "100"), ("serial", "10")])  # fmt: skip
        self.assertEqual(file.header["command"], "tools/reproduce --only benchmark/find")
        self.assertEqual(file.header["date"], "2026-11-23T18:30:00Z")
        again = self.reproduce("--only", "benchmark/find/cpu/rows", "--again")
        self.assertIn("about", again)
        self.assertEqual(len(self.result("find.json").records), 3)

    def test_a_reproduction_waits_while_another_one_writes(self):
        site = reproduction.Site(self.build, self.folder / "some-2-threads", {}, sys.executable, allow_dirty=False)
        command = [sys.executable, ROOT / "tools/reproduce", "--build", self.build, "--results", self.folder, "--only",
                   "benchmark/find/cpu/rows"]  # fmt: skip
        with site.locked():
            other = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            with self.assertRaises(subprocess.TimeoutExpired):
                other.wait(timeout=2)
            self.assertFalse((self.folder / "some-2-threads/find.json").exists())
        self.assertEqual(other.wait(timeout=60), 0)
        self.assertTrue((self.folder / "some-2-threads/find.json").exists())

    def test_begins_anew_for_another_commit(self):
        self.reproduce("--only", "benchmark")
        self.origin("ba9876543210")
        self.reproduce("--only", "benchmark/find/cpu/serial")
        file = self.result("find.json")
        self.assertEqual((file.header["commit"], len(file.records)), ("ba9876543210", 1))

    def test_a_step_that_took_no_time_is_done(self):
        site = reproduction.Site(self.build, self.folder / "here", {"commit": "0123456789ab"}, sys.executable, False)
        step = reproduction_files.ValidationStep("sod", "cpu")
        step.file(site).parent.mkdir(parents=True)
        step.file(site).write_text("# commit: 0123456789ab\n# duration: 0.0 s\ncase\nsod\n", encoding="utf-8")
        self.assertTrue(step.is_done(site))
        self.assertEqual(step.seconds(site), 0)

    def test_knows_results_of_the_same_sources(self):
        def git(*words):
            author = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
            return subprocess.run(["git", "-C", self.folder, *author, *words], check=True, capture_output=True, text=True)

        def commit_with(path):
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{path}\n", encoding="utf-8")
            git("add", path)
            git("commit", "-m", path)
            return git("rev-parse", "HEAD").stdout.strip()

        git("init")
        first = commit_with("src/core/array.cpp")
        deposit = measured_sources.of_operation("deposit")
        cases = [
            ("src/sph/sph.cpp", True),
            ("include/shoal/sph.hpp", True),
            ("benchmarks/support/sph_cases.cpp", True),
            ("benchmarks/results/deposit.json", True),
            ("benchmarks/growth/main.cpp", True),
            ("benchmarks/peers/codes.py", True),
            ("docs/deposit.md", True),
            ("src/cells/sort.cpp", False),
            ("src/deposit/sum.cpp", False),
            ("benchmarks/deposit.cpp", False),
            ("include/shoal/array.hpp", False),
        ]
        for path, same in cases:
            last = commit_with(path)
            self.assertEqual(measured_sources.are_same(self.folder, first, last, deposit), same, path)
            first = last
        peers, last = measured_sources.of_operation("deposit", "peers"), commit_with("benchmarks/peers/inputs.py")
        self.assertFalse(measured_sources.are_same(self.folder, first, last, peers))
        self.assertFalse(measured_sources.are_same(self.folder, first, "0123456789ab", deposit))

    def test_leaves_out_results_of_the_same_sources(self):
        log = ["git", "-C", str(ROOT), "log", "-1", "--format=%h"]
        head = subprocess.run(log, check=True, capture_output=True, text=True).stdout.strip()
        self.origin(head)
        self.reproduce("--only", "benchmark/find/cpu/rows")
        self.assertIn("are of these sources", self.reproduce("--only", "benchmark/find/cpu/rows", "--changed"))
        self.assertIn("serial: about", self.reproduce("--only", "benchmark", "--changed"))

    def test_refuses_programs_of_two_commits(self):
        (self.build / "benchmarks/commit").write_text("ba9876543210", encoding="utf-8")
        printed = self.reproduce("--only", "benchmark/find/cpu/rows", code=1)
        self.assertIn("is of commit ba9876543210, shoal-bench of 0123456789ab; build both", printed)
        self.assertFalse((self.folder / "some-2-threads").exists())

    def test_starts_no_step_that_would_end_too_late(self):
        printed = self.reproduce("--only", "benchmark", "--for", "20")
        self.assertIn("no time was left for 2 steps, first benchmark/find/cpu/rows", printed)
        self.assertFalse((self.folder / "some-2-threads").exists())

    def test_goes_on_after_a_failure(self):
        printed = self.reproduce("--only", "paper/deposit", "paper/sph", code=1)
        self.assertIn("failed: exit status 1: ", printed)
        self.assertIn("reproduce: failed: paper/deposit", printed)
        file = self.result("paper/sph/table1.csv")
        self.assertTrue(file.header["command"].startswith("shoal-bench sph --paper --device cpu --largest 100000"))
        self.assertTrue((self.folder / "some-2-threads/paper/sph/table1.svg").is_file())
        self.assertIn("paper/sph: done before", self.reproduce("--only", "paper/sph"))

    def test_writes_runs_and_checks(self):
        self.reproduce("--only", "runs/*", "validation/sod")
        (run,) = self.result("runs/dam_break_case.csv").records
        self.assertEqual((run["steps"], run["time of the whole run [s]"]), ("7", "2"))
        (check,) = self.result("validation/sod.csv").records
        self.assertEqual((check["case"], check["computed"], check["verdict"]), ("sod", "1, 2", "FAIL"))
        self.assertEqual(result_files.problems([self.folder / "some-2-threads"]), [])

    def test_refuses_changed_sources_and_unknown_steps(self):
        self.assertIn("no step has this name", self.reproduce("--only", "papers", code=1))
        self.origin("0123456789ab-dirty")
        self.assertIn("differ from their commit", self.reproduce("--only", "runs", code=1))
        self.reproduce("--only", "runs/dam_break_case", "--allow-dirty")
        with self.assertRaisesRegex(result_files.ResultError, "measure a commit"):
            self.result("runs/dam_break_case.csv")

    def test_takes_the_steps_of_a_gpu(self):
        self.origin("0123456789ab", "NVIDIA H200; Some Processor, 16 threads", "580.1")
        listed = self.reproduce("--list")
        self.assertRegex(listed, r"runs/dam_break_case_3 +cuda ")
        self.assertNotRegex(self.reproduce("--list", "--device", "cpu"), "cuda")
        self.reproduce("--only", "runs/dam_break_case_3")
        self.assertTrue((self.folder / "nvidia-h200/runs/dam_break_case_3.csv").is_file())

    def test_lists_targets_and_profiles_of_a_gpu(self):
        self.origin("0123456789ab", "NVIDIA H200; Some Processor, 16 threads", "580.1")
        self.program("benchmarks/shoal_targets", GROWTH)
        self.program("path/ncu", "")
        listed = self.reproduce("--list")
        self.assertRegex(listed, r"targets +cuda ")
        self.assertRegex(listed, r"profiles +cuda ")
        self.assertNotRegex(self.reproduce("--list", "--device", "cpu"), "profiles|targets")

    def test_takes_long_tables_of_a_gpu_one_method_at_a_time(self):
        self.program("benchmarks/shoal_sph_benchmark", BENCHMARK)
        self.origin("0123456789ab", "NVIDIA H200; Some Processor, 16 threads", "580.1")
        self.reproduce("--only", "paper/sph/rows")
        table = self.folder / "nvidia-h200/paper/sph/table1.csv"
        self.assertEqual([record["method"] for record in result_files.read(table).records], ["rows"])
        resumed = self.reproduce("--only", "paper/sph")
        self.assertIn("paper/sph/rows: done before", resumed)
        self.reproduce("--only", "paper/sph/rows", "--again")
        self.assertEqual([record["method"] for record in result_files.read(table).records], ["list", "rows"])
        self.assertEqual(list(table.parent.glob("*.svg")), [])  # they would show one method
        self.assertIn("paper/sph/list: done before", self.reproduce("--only", "paper/sph"))
        self.origin("ba9876543210", "NVIDIA H200; Some Processor, 16 threads", "580.1")
        self.reproduce("--only", "paper/sph/list")
        self.assertEqual([record["method"] for record in result_files.read(table).records], ["list"])

    def test_keeps_the_plots_of_growth(self):
        self.program("benchmarks/shoal_growth", GROWTH)
        self.reproduce("--only", "growth/sph_cpu")
        self.assertEqual(self.result("growth/sph_cpu.csv").records, [{"operation": "sph", "device": "cpu", "size": "1000"}])
        self.assertEqual((self.folder / "some-2-threads/growth/sph_cpu_time.svg").read_text(), "<svg/>")

    def test_compares_threads_with_one(self):
        self.program("benchmarks/shoal_collision_benchmark", ON_THREADS)
        self.reproduce("--only", "threads/collision")
        records = self.result("threads/collision.csv").records
        self.assertEqual([record["threads"] for record in records], [str(1 << k) for k in range(len(records))])
        self.assertEqual({record["efficiency"] for record in records[1:]} - {"0.5"}, set())
        self.assertEqual(records[0]["time [ms]"], "8.0")

    def test_compares_all_gpus_with_one(self):
        self.program("benchmarks/shoal_rank_scaling", RANKS)
        self.program("path/mpirun", MPIRUN)
        self.origin("0123456789ab", "NVIDIA H200; Some Processor, 16 threads", "580.1")
        self.assertNotIn("scaling/", self.reproduce("--list"))
        self.origin("0123456789ab", "NVIDIA H200; NVIDIA H200; Some Processor, 32 threads", "580.1")
        self.reproduce("--only", "scaling/box_weak_5000000")
        table = result_files.read(self.folder / "nvidia-h200/scaling/box_weak_5000000.csv")
        found = [(record["ranks"], record["particles"], record["reference"]) for record in table.records]
        self.assertEqual(found, [("1", "5000000", ""), ("2", "5000000", "1.csv")])

    def test_doubles_ranks_up_to_all_gpus(self):
        for gpus, counts in {1: [1], 2: [1, 2], 3: [1, 2, 3], 4: [1, 2, 4], 6: [1, 2, 4, 6], 8: [1, 2, 4, 8]}.items():
            self.assertEqual(reproduction_ranks.counts_up_to(gpus), counts)

    def test_compares_operations_on_ranks_by_their_checksums(self):
        self.program("benchmarks/shoal_rank_scaling", RANKS)
        self.program("benchmarks/shoal_rank_operations", OPERATIONS.replace("CHECKSUM", "7"))
        self.program("path/mpirun", MPIRUN)
        self.origin("0123456789ab", "NVIDIA H200; NVIDIA H200; Some Processor, 32 threads", "580.1")
        self.reproduce("--only", "ranks/deposit_1000000000")
        table = result_files.read(self.folder / "nvidia-h200/ranks/deposit_1000000000.csv")
        found = [(record["ranks"], record["efficiency"]) for record in table.records]
        self.assertEqual(found, [("1", "1.0"), ("2", "0.5")])
        self.program("benchmarks/shoal_rank_operations", OPERATIONS.replace("CHECKSUM", 'option["--ranks"]'))
        failed = self.reproduce("--only", "ranks/deposit_1000000000", "--again", code=1)
        self.assertIn("Results must not depend on ranks", failed)

    def test_gives_each_rank_the_items_of_one_in_weak_scaling(self):
        self.program("benchmarks/shoal_rank_scaling", RANKS)
        self.program("benchmarks/shoal_rank_operations", OPERATIONS.replace("CHECKSUM", 'option["--items"]'))
        self.program("path/mpirun", MPIRUN)
        self.origin("0123456789ab", "NVIDIA H200; NVIDIA H200; Some Processor, 32 threads", "580.1")
        self.reproduce("--only", "ranks/gas_bgk_200_each")
        table = result_files.read(self.folder / "nvidia-h200/ranks/gas_bgk_200_each.csv")
        self.assertEqual([(record["ranks"], record["checksum"]) for record in table.records], [("1", "200"), ("2", "400")])
        self.program("benchmarks/shoal_rank_operations", OPERATIONS.replace("CHECKSUM", 'option["--ranks"]'))
        failed = self.reproduce("--only", "ranks/gas_bgk_200_each", "--again", code=1)
        self.assertIn("Results must not depend on ranks", failed)

    def test_compares_the_restarts_of_runs_on_ranks(self):
        self.program("benchmarks/shoal_rank_scaling", RANKS)
        self.program("path/mpirun", MPIRUN)
        self.origin("0123456789ab", "NVIDIA H200; NVIDIA H200; Some Processor, 32 threads", "580.1")
        self.program("cli/shoal", SHOAL_ON_RANKS.replace("STATE", '"state"'))
        self.reproduce("--only", "bits_of_ranks")
        table = result_files.read(self.folder / "nvidia-h200/bits_of_ranks.csv")
        self.assertEqual([record["ranks"] for record in table.records], ["1", "2", "2, then 1", "1, then 2"])
        self.assertEqual({record["steps"] for record in table.records}, {"7"})
        self.program("cli/shoal", SHOAL_ON_RANKS.replace("STATE", 'sys.argv[sys.argv.index("--ranks") + 1]'))
        failed = self.reproduce("--only", "bits_of_ranks", "--again", code=1)
        self.assertIn("Results must not depend on ranks", failed)

    def test_names_folders_of_machines(self):
        names = {
            "NVIDIA H100 80GB HBM3; Intel(R) Xeon(R) Processor, 16 threads": "nvidia-h100-80gb-hbm3",
            "NVIDIA H200; NVIDIA H200; Intel(R) Xeon(R) Processor, 32 threads": "nvidia-h200",
            "Intel(R) Xeon(R) Processor @ 2.60GHz, 2 threads": "intel-xeon-2-threads",
            "AMD EPYC 9654 96-Core Processor, 192 threads": "amd-epyc-9654-96-core-192-threads",
        }
        for machine, name in names.items():
            self.assertEqual(reproduction.machine_folder(machine), name)


if __name__ == "__main__":
    unittest.main()
