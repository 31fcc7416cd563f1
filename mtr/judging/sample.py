"""The sample turn that the judging graph shows in Studio when its form is empty."""

from functools import cache
from pathlib import Path

from mtr.judging.asking import Docket

_FILE = Path(__file__).with_name("sample.json")


@cache
def sample_docket() -> Docket:
    """A third turn about a lighthouse, its gold and five hard negatives."""
    return Docket.model_validate_json(_FILE.read_bytes())
