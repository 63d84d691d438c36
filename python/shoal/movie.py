# SPDX-License-Identifier: Apache-2.0
"""`shoal movie DIR`: a movie of the states of a run, or its frames as PNGs. Needs matplotlib; movies need ffmpeg."""

import argparse
import shutil
import subprocess
import sys
from os import PathLike
from pathlib import Path

import matplotlib

from ._drawing import STYLE, draw_states, png_of
from .report import ReportError
from .report.contents import gather
from .report.errors import damage_reported
from .report.output import path_argument, require_output, write_whole
from .report.reading.run_folder import RunFolder


def _frames(folder, quantity, dpi, most_states):
    """PNG of each state."""
    with matplotlib.rc_context(STYLE), damage_reported(folder):
        scene = gather(RunFolder(folder), [quantity] if quantity else None, most_states).scene
        if scene is None:
            raise ReportError(f"{folder}: this run has written no states; a movie needs them.")
        for state in range(len(scene.times)):
            yield png_of(draw_states(scene, scene.quantities[0], [state]), dpi)


def write_frames(
    folder: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    quantity: str | None = None,
    dpi: float = 150,
    most_states: int = 1000,
    force: bool = False,
) -> list[Path]:
    """Writes a PNG of each state of a run: 00000.png, 00001.png, ...

    Parameters
    ----------
    folder : path of the output folder of `shoal run`
    out : folder to write to; default: frames in the same
    quantity : name of the array to color by; default: the first of the report
    dpi : dots per inch
    most_states : largest number of states, evenly distributed
    force : replaces existing files. Files of the run are never replaced

    Returns
    -------
    paths of the files

    Raises
    ------
    ReportError : the folder is not that of a run, it has no states, there is no such quantity, or a file exists
    """
    out, paths = Path(out or Path(folder) / "frames"), []
    try:
        for number, frame in enumerate(_frames(folder, quantity, dpi, most_states)):
            paths.append(out / f"{number:05}.png")
            require_output(paths[-1], Path(folder), force)
            out.mkdir(parents=True, exist_ok=True)
            write_whole(paths[-1], frame)
    except OSError as error:
        raise ReportError(f"{out}: cannot write the frames: {error.strerror}.") from error
    return paths


def write_movie(
    folder: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    quantity: str | None = None,
    rate: float = 20,
    dpi: float = 150,
    most_states: int = 1000,
    force: bool = False,
) -> Path:
    """Writes a movie of the states of a run, by the program ffmpeg: H.264 in MP4, which all browsers play.

    Parameters
    ----------
    out : path of the file to write; default: movie.mp4 in the folder
    rate : states per second
    folder, quantity, dpi, most_states, force : as of write_frames

    Returns
    -------
    path of the file

    Raises
    ------
    ReportError : as of write_frames; or there is no ffmpeg, or it fails
    """
    out = Path(out or Path(folder) / "movie.mp4")
    run = RunFolder(folder)
    require_output(out, run.folder, force)
    if not rate > 0:
        raise ReportError(f"a movie of {rate} states a second: expected more than 0.")
    encoder = shutil.which("ffmpeg")
    if encoder is None:
        raise ReportError(
            "movies need the program ffmpeg, which is not on PATH. Install it (apt install ffmpeg), or write the "
            "frames as PNGs with --frames."
        )
    partial = out.with_name(out.name + ".partial")
    even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white"  # H.264 has two pixels for each sample of color
    command = [
        encoder, "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate", str(rate), "-c:v", "png", "-i", "-",
        "-vf", even, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(partial),
    ]  # fmt: skip
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _encode(command, _frames(folder, quantity, dpi, most_states), out)
        partial.replace(out)
    except OSError as error:
        raise ReportError(f"{out}: cannot write the movie: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return out


def _encode(command, frames, out):
    """Runs an encoder that reads frames from its input."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
        try:
            for frame in frames:
                encoder.stdin.write(frame)
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # its message says why
        except BaseException:
            encoder.kill()
            raise
        said = encoder.stderr.read().decode(errors="replace").strip()
    if encoder.returncode != 0:
        raise ReportError(f"{out}: ffmpeg could not make this movie: {said or f'exit status {encoder.returncode}'}.")


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="shoal movie", description="Writes a movie of the states of a run, or its frames."
    )
    parser.add_argument("folder", metavar="DIR", help="output folder of `shoal run`")
    parser.add_argument("--out", metavar="FILE", type=path_argument, help="default: movie.mp4 in the folder")
    parser.add_argument("--frames", metavar="DIR", type=path_argument, help="write PNGs to this folder, and no movie")
    parser.add_argument("--quantity", metavar="NAME", help="array to color by; default: the first of the report")
    parser.add_argument("--rate", type=float, default=20, metavar="N", help="states per second; default: 20")
    parser.add_argument("--states", type=int, default=1000, metavar="N", help="largest number of states; default: 1000")
    parser.add_argument("--dpi", type=float, default=150, help="dots per inch; default: 150")
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    given = parser.parse_args(argv)
    try:
        if given.frames:
            paths = write_frames(given.folder, given.frames, given.quantity, given.dpi, given.states, given.force)
            print(f"{given.frames}: {len(paths)} frames")
        else:
            print(
                write_movie(given.folder, given.out, given.quantity, given.rate, given.dpi, given.states, given.force)
            )
    except ReportError as error:
        print(f"shoal movie: {error}", file=sys.stderr)
        return 1
    return 0
