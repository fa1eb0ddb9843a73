"""What tests look at in printed pages: PDF files read and rendered by another program than the one that wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pypdfium2

from nambarz_sim.classroom.paper import Paper
from nambarz_sim.classroom.surface import Placed

Picture = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
PIXELS = 4
"""So many a millimetre."""


def open_pdf(paper: Paper) -> pypdfium2.PdfDocument:
    """The paper as a PDF file."""
    return pypdfium2.PdfDocument(paper.to_bytes())


def pages_in_grey(paper: Paper, pixels: float = PIXELS) -> Iterator[Picture]:
    """Every page as it looks on a printer without colours."""
    for page in open_pdf(paper):
        yield np.asarray(page.render(scale=pixels * 25.4 / 72, grayscale=True).to_numpy()).squeeze()


def lines_of(paper: Paper) -> list[str]:
    """The words that are in the PDF file at each place where words have been put."""
    pdf = open_pdf(paper)
    pages = [page.get_textpage() for page in pdf]
    points, found = 72 / 25.4, []
    for placed in paper.placed:
        if placed.kind == "words":
            box = {
                "left": placed.x * points - 1,
                "right": (placed.x + placed.width) * points + 1,
                "top": (paper.height - placed.y) * points,
                "bottom": (paper.height - placed.y - placed.height) * points,
            }
            found.append(pages[placed.page - 1].get_text_bounded(**box).strip())
    return found


def all_text(paper: Paper) -> str:
    """Whatever text is in the PDF file, on cards, too."""
    return "\n".join(page.get_textpage().get_text_range() for page in open_pdf(paper))


def outside(paper: Paper, border: float = 3.0) -> list[Placed]:
    """What stands outside of its page, or nearer to its edge than printers print."""
    return [
        placed
        for placed in paper.placed
        if placed.x < border
        or placed.y < border
        or placed.x + placed.width > paper.width - border
        or placed.y + placed.height > paper.height - border
    ]


def overlapping(paper: Paper) -> list[tuple[Placed, Placed]]:
    """Words and cards of a page that lie on each other."""
    found = []
    for page in range(1, paper.page + 1):
        here = [placed for placed in paper.placed if placed.page == page and placed.kind != "box"]
        for one, other in combinations(here, 2):
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            if across > 0.1 and down > 0.1:
                found.append((one, other))
    return found


def contrast(picture: Picture, placed: Placed, pixels: float = PIXELS) -> float:
    """The contrast between the darkest and the lightest grey where something stands, as the WCAG count it."""
    top, left = int(placed.y * pixels), int(placed.x * pixels)
    part = picture[top : top + int(placed.height * pixels) + 1, left : left + int(placed.width * pixels) + 1]
    dark, light = (_luminance(int(value)) for value in (part.min(), part.max()))
    return (light + 0.05) / (dark + 0.05)


def _luminance(grey: int) -> float:
    share = grey / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
