"""What of a passage is searched: the one text that is embedded and indexed."""

from mtr.records import Passage


def searchable_text(passage: Passage) -> str:
    """Title and heading on lines of their own, unless the passage begins with them, then the passage."""
    begins = passage.text.partition("\n")[0].strip("#*= \t")
    above = dict.fromkeys(part for part in (passage.title, passage.heading) if part and part != begins)
    return "\n".join((*above, passage.text))
