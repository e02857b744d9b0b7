"""Files of arrays."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import PushWorldError


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Returns the arrays of an ``.npz`` file by name, or raises PushWorldError."""
    try:
        with np.load(path) as file:
            return dict(file)
    except OSError as error:
        raise PushWorldError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise PushWorldError(f"{path} is damaged, or no file of arrays") from error
