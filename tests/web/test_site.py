"""The site's files: from any folder of puzzles, and as an export for any web host."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pushworld.datasets import DataError, Store, published_manifest
from pushworld.planners import planners
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.web.catalogue import load_catalogue, load_with_puzzle
from pushworld.web.site import PLANNER_FILE, build_site, export_site, media_type_of, read_folder
from tests.cli.running import run
from tests.shared import SHARED, needs_shared
from tests.web.browser import needs_browser
from tests.web.server_process import RunningServer

HOSTILE = (
    "<script>alert(1)</script>".replace("/", "-"),
    "\"onload='x'",
    "</title><img src=x>".replace("/", "-"),
    "..%2f..%2fetc",
    "Zug um Zug \N{STEAM LOCOMOTIVE}",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnihtemos",
    "line\u2028separator",
    "{{7*7}}",
)


def files_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def write_puzzles(folder: Path, *names: str, text: str = "A M1 G1\n") -> Path:
    for name in names:
        path = folder / f"{name}.pwp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_the_export_is_what_the_server_serves(tmp_path: Path, plain_server: RunningServer) -> None:
    site = tmp_path / "site"
    outcome = run("play", "--puzzles", "bundled", "--export", str(site))
    assert outcome.exit_code == 0
    assert f"wrote {len(files_below(site))} files to {site}" in outcome.out
    about = json.loads((site / "data" / "site.json").read_text())
    assert about["server"] is about["recording"] is False
    assert about["solver"] is (site / PLANNER_FILE).is_file()
    assert ("it has no hints" in outcome.out) is not about["solver"]
    assert about["consent"] is None
    for path in files_below(site) - {"data/site.json", "service-worker.js"}:
        answer = plain_server.client.get(path).raise_for_status()
        assert answer.content == (site / path).read_bytes()
    served = plain_server.json("data/site.json")
    assert served["solver"] is served["server"] is True
    assert served["offline"] is False
    assert [each["name"] for each in served["planners"]] == [each.name for each in planners()]


def test_a_site_knows_its_public_address(tmp_path: Path) -> None:
    arguments = ("play", "--puzzles", "bundled", "--export", str(tmp_path / "site"), "--public-url")
    assert run(*arguments, "https://example.org/pw").exit_code == 0
    about = json.loads((tmp_path / "site" / "data" / "site.json").read_text())
    assert about["public_url"] == "https://example.org/pw/"
    outcome = run(*arguments, "example.org")
    assert outcome.exit_code == 2
    assert "'example.org' is not the address of a site" in outcome.err


def test_a_puzzle_to_open_is_found_in_its_set_or_becomes_one(tmp_path: Path) -> None:
    store = Store(tmp_path, published_manifest())
    sets, record = load_with_puzzle((), "Signal Box", store)
    assert (record["set"], record["id"]) == ("classic", "signal-box")
    assert [each.id for each in sets] == ["bundled", "classic", "frontier", "heldout"]
    write_puzzles(tmp_path, "mine")
    sets, record = load_with_puzzle((), str(tmp_path / "mine.pwp"), store)
    assert (record["set"], record["id"]) == ("mine", "mine")
    assert [each.id for each in sets] == ["bundled", "classic", "frontier", "heldout", "mine"]
    with pytest.raises(DataError, match="did you mean 'keyhole'"):
        load_with_puzzle((), "keyhol", store)


def test_an_index_gives_a_folder_its_title_texts_order_and_plans(tmp_path: Path) -> None:
    write_puzzles(tmp_path, "a", "b", "c")
    index = tmp_path / "index.toml"
    index.write_text(
        'title = "Week 1"\n[[puzzle]]\nname = "c"\ntitle = "Sea"\ndescription = "Push it."\n'
        'idea = "Boats float."\nplan = "R"\ntags = ["tool-use"]\n[[puzzle]]\nname = "a"\n'
    )
    (week,) = load_catalogue([str(tmp_path)])
    assert week.title == "Week 1"
    assert [each["name"] for each in week.puzzles] == ["Sea", "a", "b"]
    first = week.puzzles[0]
    assert (first["id"], first["plan"]) == ("c", "R")
    assert (first["description"], first["idea"]) == ("Push it.", "Boats float.")
    for wrong, problem in (
        ('[[puzzle]]\nname = "d"\n', "line 2: there is no other puzzle d.pwp in this folder"),
        ('[[puzzle]]\nname = "a"\nplan = "L"\n', "line 3: this plan does not solve a"),
        ('[[puzzle]]\nname = "a"\ntext = "x"\n', "line 3: there is no such key"),
        ("puzzle = 3\n", r"line 1: must be tables: \[\[puzzle\]\]"),
    ):
        index.write_text(wrong)
        with pytest.raises(PushWorldError, match=rf"index\.toml, {problem}"):
            load_catalogue([str(tmp_path)])


@needs_browser
def test_the_first_board_needs_few_files(address: str, browser: Browser) -> None:
    with browser.new_context() as visitor:
        page = visitor.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{address}#/play/bundled/first-push")
        page.wait_for_selector(".board")
        files = {url.removeprefix(address).partition("#")[0] for url in requests}
        needed = {"", "page.js", "page.css", "data/site.json", "data/sets/bundled.json"}
        assert needed <= files <= needed | {"icon.svg"}


def test_ranks_follow_levels_then_the_order_of_the_set_or_sizes(tmp_path: Path) -> None:
    write_puzzles(tmp_path, "a", text="A M1 G1 M2\n")
    write_puzzles(tmp_path, "b", "c")
    sets = load_catalogue(["bundled", "classic", str(tmp_path)])
    first, classic, mine = ([record["rank"] for record in one.puzzles] for one in sets)
    assert [*first, *classic] == sorted([*first, *classic])
    assert [int(rank) for rank in classic] == [record["level"] for record in sets[1].puzzles]
    assert mine[1] < mine[2] < mine[0]
    assert max(classic) < min(mine)


def test_an_export_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    site = tmp_path / "site"
    one = load_catalogue([str(write_puzzles(tmp_path / "one", "a"))])
    two = load_catalogue([str(write_puzzles(tmp_path / "two", "b"))])
    export_site(site, one)
    (site / "CNAME").write_text("play.example")
    export_site(site, two)
    about = json.loads((site / "data" / "site.json").read_text())
    assert [each["id"] for each in about["sets"]] == ["two"]
    assert {path.name for path in (site / "data" / "sets").iterdir()} == {"two.json"}
    assert (site / "CNAME").read_text() == "play.example"


def test_an_export_never_mixes_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    outcome = run("play", "--puzzles", "bundled", "--export", str(tmp_path))
    assert outcome.exit_code == 2
    assert "is not empty" in outcome.err
    assert files_below(tmp_path) == {"thesis.tex"}
    outcome = run("play", "--puzzles", "bundled", "--export", str(tmp_path / "thesis.tex"))
    assert outcome.exit_code == 2
    assert "is a file" in outcome.err


def test_a_static_site_carries_its_policy_itself(
    tmp_path: Path, plain_server: RunningServer
) -> None:
    export_site(tmp_path / "site", load_catalogue(["bundled"]))
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert found is not None
    assert page.index(found[0]) < page.index("<script")
    assert page.index(found[0]) < page.index("<link")
    sent = plain_server.client.get("").headers["content-security-policy"]
    assert f"{found[1]}; frame-ancestors 'none'" == sent


def test_a_static_site_cannot_record(tmp_path: Path) -> None:
    outcome = run("play", "--export", str(tmp_path / "site"), "--record", str(tmp_path / "db"))
    assert outcome.exit_code == 2
    assert "cannot record" in outcome.err
    assert files_below(tmp_path) == set()


def test_hostile_names_are_data_and_nothing_else(tmp_path: Path) -> None:
    folder = write_puzzles(tmp_path / "<b>bold", *HOSTILE)
    assets = build_site(load_catalogue([str(folder)]), solver=False, recording=False)
    (listed,) = json.loads(assets["data/site.json"].body)["sets"]
    assert listed["title"] == "<b>bold"
    assert listed["id"] == "b-bold"
    body = assets["data/sets/b-bold.json"].body
    records = json.loads(body)
    assert {record["name"] for record in records} == set(HOSTILE)
    assert len({record["id"] for record in records}) == len(HOSTILE)
    assert all(
        set(record["id"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for record in records
    )
    assert body.isascii()


def test_puzzles_and_sets_of_one_name_stay_apart(tmp_path: Path) -> None:
    first = write_puzzles(tmp_path / "one" / "set", "a/same", "b/same", "A B", "a-b")
    second = write_puzzles(tmp_path / "two" / "set", "same")
    sets = load_catalogue([str(first), str(second)])
    assert [each.id for each in sets] == ["set", "set-2"]
    assert len({record["id"] for record in sets[0].puzzles}) == 4
    assert {record["set"] for record in sets[1].puzzles} == {"set-2"}


def test_a_sandbox_and_what_is_in_it_are_tagged(tmp_path: Path) -> None:
    write_puzzles(tmp_path, "sandbox", text="A M1 AW\n")
    write_puzzles(tmp_path, "two", text="A M1 G1\n. M2 G2\n")
    (one,) = load_catalogue([str(tmp_path)])
    assert [record["tags"] for record in one.puzzles] == [
        ["agent-walls", "sandbox"],
        ["multiple-goals"],
    ]


def test_without_a_wish_the_page_has_all_that_is_installed(tmp_path: Path) -> None:
    empty = Store(tmp_path, published_manifest())
    assert [each.id for each in load_catalogue((), empty)] == [
        "bundled",
        "classic",
        "frontier",
        "heldout",
    ]


@needs_shared
def test_installed_levels_are_offered() -> None:
    assert SHARED is not None
    sets = load_catalogue((), Store(SHARED / "puzzles", published_manifest()))
    levels = ["Level 1", "Level 2", "Level 3", "Level 4"]
    assert [each.title for each in sets] == [
        "First steps",
        "Classic",
        "Frontier",
        "Held out",
        *levels,
    ]
    for one in sets:
        for record in one.puzzles:
            puzzle = Puzzle.parse(record["pwp"])
            assert (puzzle.width, puzzle.height) == (record["width"], record["height"])


def test_bad_puzzles_are_named_before_anything_is_served(tmp_path: Path) -> None:
    write_puzzles(tmp_path, "broken", text="A A+W\n")
    with pytest.raises(PushWorldError, match=r"broken\.pwp, line 1"):
        load_catalogue([str(tmp_path)])
    with pytest.raises(DataError, match="no set or puzzle"):
        load_catalogue(["no-such-set"])


@pytest.mark.parametrize(
    "place",
    [
        lambda static, secret: (static / "leak.txt").symlink_to(secret / "secret.txt"),
        lambda static, secret: (static / "leak").symlink_to(secret),
        lambda static, secret: (static / ".git").write_text("secret"),
    ],
    ids=["link-to-file", "link-to-folder", "hidden-file"],
)
def test_links_and_hidden_files_are_not_part_of_the_site(
    tmp_path: Path, place: Callable[[Path, Path], object]
) -> None:
    static, secret = tmp_path / "static", tmp_path / "secret"
    static.mkdir()
    secret.mkdir()
    (secret / "secret.txt").write_text("secret")
    (static / "index.html").write_text("page")
    (static / "css").mkdir()
    (static / "css" / "page.css").write_text("")
    place(static, secret)
    assert set(read_folder(static)) == {"index.html", "css/page.css"}


def test_modules_have_the_type_that_browsers_demand() -> None:
    assert media_type_of("js/main.js") == "text/javascript; charset=utf-8"
    assert media_type_of("css/page.css") == "text/css; charset=utf-8"
    assert media_type_of("no-suffix") == "application/octet-stream"


def test_a_damaged_package_says_so(tmp_path: Path) -> None:
    with pytest.raises(PushWorldError, match=r"has no index\.html"):
        build_site([], solver=False, recording=False, static=tmp_path)
