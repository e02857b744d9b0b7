"""Hostile and damaged archives: an error in words, nothing installed, nothing written elsewhere."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pushworld.datasets import DataError, Store, import_path
from pushworld.datasets.published.archives import Limits
from tests.datasets.tiny import FILES, installed_files, make_tar, make_zip, tiny_store

GOOD = "level1/Tiny Steps.pwp"
SMALL = Limits(entries=50, total_bytes=1 << 20, single_read=1 << 16)
OUTSIDE = ["../escaped.pwp", "/escaped.pwp", "a/../../escaped.pwp", "..\\escaped.pwp", "C:/escaped"]


def assert_refused(source: Path, store: Store, problem: str, limits: Limits = SMALL) -> None:
    before = sorted(source.parent.rglob("*"))
    with pytest.raises(DataError, match=problem):
        import_path(source, store, limits=limits)
    assert not store.root.exists()
    assert sorted(source.parent.rglob("*")) == before


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_a_member_outside_of_the_archive(
    make: Callable[..., Path], name: str, tmp_path: Path, store: Store
) -> None:
    source = make(tmp_path / "archive", {GOOD: FILES[GOOD], name: FILES[GOOD]})
    assert_refused(source, store, "points outside")


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_a_tar_are_not_followed(
    kind: bytes, tmp_path: Path, store: Store
) -> None:
    (tmp_path / "secret").write_bytes(FILES[GOOD])
    member = tarfile.TarInfo(GOOD)
    member.type, member.linkname = kind, str(tmp_path / "secret")
    with tarfile.open(tmp_path / "archive", "w") as archive:
        archive.addfile(member)
    assert_refused(tmp_path / "archive", store, "nothing of the published sets")


def test_links_in_a_zip_are_not_followed(tmp_path: Path, store: Store) -> None:
    member = zipfile.ZipInfo(GOOD)
    member.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        archive.writestr(member, str(tmp_path / "secret"))
    assert_refused(tmp_path / "archive", store, "nothing of the published sets")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_too_many_members(make: Callable[..., Path], tmp_path: Path, store: Store) -> None:
    files = {f"folder/{number}": b"" for number in range(SMALL.entries)}
    assert_refused(make(tmp_path / "archive", {**files, GOOD: FILES[GOOD]}), store, "more than 50")


def test_too_large_a_table_of_members(tmp_path: Path, store: Store) -> None:
    files = {f"{number:05}" * 1000: b"" for number in range(20)}
    assert_refused(make_zip(tmp_path / "archive", files), store, "header of more than 65536 bytes")


@pytest.mark.parametrize("method", ["w:gz", "w:bz2", "w:xz"])
def test_a_tar_that_unpacks_to_too_much(method: str, tmp_path: Path, store: Store) -> None:
    bomb = {"skipped": bytes(2 << 20), GOOD: FILES[GOOD]}
    assert_refused(make_tar(tmp_path / "archive", bomb, method), store, "more bytes than")


def test_a_zip_that_unpacks_to_too_much(tmp_path: Path, store: Store) -> None:
    bomb = {f"{number}/{GOOD}": bytes(1 << 19) for number in range(3)}
    assert_refused(make_zip(tmp_path / "archive", bomb), store, "more bytes than")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_a_huge_member_is_not_read_to_its_end(
    make: Callable[..., Path], tmp_path: Path, store: Store
) -> None:
    source = make(tmp_path / "archive", {GOOD: bytes(8 << 20)})
    report = import_path(source, store)
    assert [problem.path for problem in report.wrong] == [GOOD]
    assert installed_files(store) == {}


def test_a_huge_header_in_a_tar(tmp_path: Path, store: Store) -> None:
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 200_000
    source = tmp_path / "archive"
    source.write_bytes(gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + bytes(member.size)))
    assert_refused(source, store, "header of more than")


def test_a_tar_whose_sizes_lead_backwards(tmp_path: Path, store: Store) -> None:
    """A member that claims a negative size would be read again and again."""
    member = tarfile.TarInfo("loop")
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[124:136] = struct.pack(">q", -1024).rjust(12, b"\xff")
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    source = tmp_path / "archive"
    source.write_bytes(make_tar(tmp_path / "good", FILES, "w").read_bytes()[:1024] + header * 4)
    with pytest.raises(DataError):
        import_path(source, store)
    assert not store.root.exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_methods_without_bounds_are_refused(method: int, tmp_path: Path, store: Store) -> None:
    source = make_zip(tmp_path / "archive", {GOOD: FILES[GOOD]}, method)
    assert_refused(source, store, "compressed in a way")


def test_an_encrypted_zip(tmp_path: Path, store: Store) -> None:
    data = bytearray(make_zip(tmp_path / "archive", {GOOD: FILES[GOOD]}).read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "archive").write_bytes(data)
    assert_refused(tmp_path / "archive", store, "encrypted")


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_half_an_archive_changes_nothing(
    make: Callable[..., Path], keep: float, tmp_path: Path, store: Store
) -> None:
    source = make(tmp_path / "archive", FILES)
    data = source.read_bytes()
    source.write_bytes(data[: int(len(data) * keep)])
    assert_refused(source, store, "archive", Limits())


def archive_bytes(make: Callable[..., Path], folder: Path) -> bytes:
    data = make(folder / "archive", FILES).read_bytes()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    make=st.sampled_from([make_zip, make_tar]),
    pack=st.sampled_from([bytes, gzip.compress, bz2.compress]),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=12)), max_size=8
    ),
)
def test_no_damage_gets_wrong_bytes_in_or_another_error_out(
    make: Callable[..., Path],
    pack: Callable[[bytes], bytes],
    changes: list[tuple[float, bytes]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    data = bytearray(archive_bytes(make, folder))
    for place, new in changes:
        start = int(place * len(data))
        data[start : start + len(new)] = new
    source = folder / "archive"
    source.write_bytes(pack(bytes(data)))
    store = tiny_store(folder / "data")
    try:
        import_path(source, store, limits=SMALL)
    except DataError:
        assert not store.root.exists()
    assert installed_files(store).items() <= FILES.items()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zlib.compress, bytes])
def test_packed_noise_is_no_archive(
    pack: Callable[[bytes], bytes], tmp_path: Path, store: Store
) -> None:
    (tmp_path / "archive").write_bytes(pack(b"no archive at all " * 100))
    assert_refused(tmp_path / "archive", store, "archive")


def test_many_chained_headers_in_a_tar(tmp_path: Path, store: Store) -> None:
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1
    chain = io.BytesIO()
    for _ in range(5000):
        chain.write(member.tobuf(tarfile.GNU_FORMAT) + b"x".ljust(512, b"\0"))
    (tmp_path / "archive").write_bytes(gzip.compress(chain.getvalue()))
    assert_refused(tmp_path / "archive", store, "archive", Limits())
