"""Installs the packages of an extra into the environment of the Python that runs this, and builds the package there.

    python tools/install.py test-all --develop
    python tools/install.py openenv --over .venv     only what the extra needs, over an environment with the rest

Every version is in `constraints/`, so nothing is searched for: installing is downloading. uv does it where it can be
had, pip elsewhere; what pip is told about indexes, certificates and folders of wheels holds for uv too. A line
appears at least every ten seconds. If a step fails, the end of its output follows.
"""

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints"
PIP = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
UV = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}
"""Settings of pip, and the variables by which uv takes them."""

QUIET_SECONDS = 8.0
COMPILED = re.compile(r"\[(\d+)/(\d+)\] (?:Building|Linking)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("extra")
    parser.add_argument("--develop", action="store_true", help="treat warnings as errors")
    parser.add_argument("--over", type=Path, help="an environment that has all other packages")
    arguments = parser.parse_args()
    own = CONSTRAINTS / f"{arguments.extra}.txt"
    constraint = f"--constraint={own if own.exists() else CONSTRAINTS / 'main.txt'}"
    tools = [*PIP, "--quiet", f"--constraint={CONSTRAINTS / 'main.txt'}"]
    if run("installing uv", [*tools, "uv"]) == 0:
        os.environ.update(uv_settings())
        install = [*UV, constraint]
    else:
        print("uv cannot be had here; pip takes its place", flush=True)
        must_run("updating pip", [*tools, "--upgrade", "pip"])
        install = [*PIP, constraint]
    packages = [*install, *requirements(arguments.extra, whole=arguments.over is None)]
    steps = {f"installing the packages of {arguments.extra}": packages}
    if arguments.over is None:
        must_run("installing what compiles", [*install, *requirements("build", whole=False)])
        build = [*PIP, "--verbose", "--no-build-isolation", "--no-deps", "--editable", str(ROOT)]
        develop = ["--config-settings=cmake.define.PUSHWORLD_DEVELOP=ON"] * arguments.develop
        steps["compiling"] = [*build, *develop]
    # Side by side: one waits for the network, the other for the processor.
    with ThreadPoolExecutor() as pool:
        codes = list(pool.map(run, steps, steps.values()))
    if any(codes):
        sys.exit(max(codes, key=abs))
    if arguments.over is not None:
        share_packages(arguments.over)


def requirements(extra: str, *, whole: bool) -> list[str]:
    """Returns what an extra needs; with `whole`, what the package and its build need too."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = table["optional-dependencies"]
    found = [*table["dependencies"], *extras["build"]] if whole else []
    names = [extra]
    for name in names:
        for requirement in extras[name]:
            if own := re.fullmatch(r"pushworld\[(.+)\]", requirement):
                names += [other for other in own[1].split(",") if other not in names]
            else:
                found.append(requirement)
    return found


def uv_settings() -> dict[str, str]:
    """Returns pip's settings as variables of uv; those that are set already stay."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    settings = dict(re.findall(r"^\S+\.([a-z-]+)='(.*)'$", listed, re.MULTILINE))
    found = {
        variable: ("," if name == "find-links" else " ").join(settings[name].split())
        for name, variable in UV_NAMES.items()
        if name in settings
    }
    # To pip all indexes are equal.
    return {"UV_INDEX_STRATEGY": "unsafe-best-match"} | found | dict(os.environ)


def share_packages(environment: Path) -> None:
    """Lets this environment use the packages of another one that it does not have itself."""
    folders = sorted(environment.resolve().glob("lib/*/site-packages"))
    lines = [f"import site; site.addsitedir({str(folder)!r})\n" for folder in folders]
    Path(sysconfig.get_path("purelib"), "shared.pth").write_text("".join(lines), "utf-8")


def must_run(title: str, command: list[str]) -> None:
    """Runs a command and ends the program with the command's exit code if it fails."""
    if code := run(title, command):
        sys.exit(code)


def run(title: str, command: list[str]) -> int:
    """Runs a command, shows that it goes on, and returns its exit code."""
    begun = time.monotonic()
    print(title, flush=True)
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with (
            log.open("wb") as file,
            subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT) as process,
        ):
            while process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(QUIET_SECONDS)
                    break
                compiled = COMPILED.findall(log.read_text("utf-8", "replace"))
                done = ", {} of {} files".format(*compiled[-1]) if compiled else ""
                print(f"{title}: {time.monotonic() - begun:.0f} s{done}", flush=True)
        lines = log.read_text("utf-8", "replace").splitlines(keepends=True)
    print(f"{title}: done in {time.monotonic() - begun:.0f} s", flush=True)
    if process.returncode != 0:
        sys.stderr.writelines(lines[-80:])
    return process.returncode


if __name__ == "__main__":
    main()
