"""Print a digest of the numbers of every entry: ``python -m tests.common.digest``."""

import hashlib
import json
import warnings

from skeval.exceptions import ResamplingWarning
from tests.common.lists import ENTRIES


def digests() -> dict[str, str]:
    """Return a hash of the numbers of each entry, bit by bit."""
    return {
        entry.name: hashlib.sha256(
            repr([(path, value.hex()) for path, value in entry.numbers()]).encode()
        ).hexdigest()
        for entry in ENTRIES
    }


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", ResamplingWarning)  # few replicates, on purpose
    print(json.dumps(digests()))
