"""Labels and names in a run, compared with those of its landscape."""

from typing import Any

from paretoball.formats import labels_in, names_in
from paretoball.landscape import Landscape, default_names
from paretoball.system import brief


def naming_found(
    landscape: Landscape, header: dict[str, Any]
) -> tuple[list[str], list[str]]:
    """Failures and remarks: where both have names, they have to be the same."""
    default = default_names(landscape.d)
    names = None if landscape.names == default else landscape.names
    both = {
        "objective": (names_in(header, landscape.d), names),
        "variable": (labels_in(header, landscape.n), landscape.given_labels),
    }
    failures, remarks = list[str](), list[str]()
    for noun, (found, right) in both.items():
        if found is None and right is not None:
            remarks.append(f"{noun}s have names in the landscape, but not in the run")
        elif right is None and found is not None:
            remarks.append(f"{noun}s have names in the run, but not in the landscape")
        elif found is not None and right is not None and found != right:
            i = next(i for i, name in enumerate(found) if name != right[i])
            failures.append(
                f"the run calls {noun} {i} {brief(found[i])}, but the landscape "
                f"calls it {brief(right[i])}"
            )
    return failures, remarks
