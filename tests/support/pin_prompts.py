"""Pins of the shipped prompts, a sha256 each; `python -m tests.support.pin_prompts` renews them."""

import json
from pathlib import Path

from mtr.prompts import prompt_hashes
from mtr.prompts.folders import DOMAIN_FILE, shipped_root

PINS = Path(__file__).parent.parent / "pins_prompts.json"


def shipped_domains() -> tuple[str, ...]:
    """The domains that come with the project, sorted."""
    return tuple(sorted(file.parent.name for file in shipped_root().glob(f"*/{DOMAIN_FILE}")))


def main() -> None:
    """Write the hashes of the texts as they are now."""
    pins = {domain: prompt_hashes(domain) for domain in shipped_domains()}
    PINS.write_text(json.dumps(pins, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
