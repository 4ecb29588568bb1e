"""How do the whole exact front and the time it takes grow with n, K and d?

Landscapes are adjacent MNK models with q = 100, so the elimination has width 2 K. A
case that takes more than LIMIT seconds is left out. Seconds are those of the processor,
and include the hull, all bands, and one solution for each point.
"""

from itertools import product
from time import process_time

import paretoball as pb
from measuring import arguments, begin, note, printer

COLUMNS = "n,K,d,width,points,vectors,seconds,share_of_hull"
LIMIT = 600.0  # seconds
CASES = [
    *product((100, 200, 500, 1_000, 2_000, 5_000), (3,), (2,)),
    *product((200, 500, 1_000), (1, 2, 4, 5), (2,)),
    *product((25, 50, 100, 150), (3,), (3,)),
    *product((25, 50), (3,), (4,)),
    *product((15, 25, 35), (3,), (5,)),
]
QUICK = [(40, 2, 2), (20, 2, 3)]


def main() -> None:
    """Print a line of CSV for each case."""
    options = begin(arguments(__doc__))
    write = printer(COLUMNS)
    for n, d in (250, 2), (40, 3), (30, 4):  # compile
        pb.exact_front(pb.mnk(n=n, K=3, d=d, q=100, seed=1))
    for n, K, d in QUICK if options.quick else CASES:
        note(f"n = {n:,}, K = {K}, d = {d}")
        landscape = pb.mnk(n=n, K=K, d=d, q=100, seed=1)
        began = process_time()
        try:
            front = pb.exact_front(landscape, progress=False, time_limit=LIMIT)
        except TimeoutError:
            continue
        seconds = round(process_time() - began, 3)
        share = ""
        if d == 2:
            bound = pb.supported_front(landscape).bound(landscape.mean)
            share = f"{pb.hypervolume(front, landscape.mean) / bound:.6f}"
        facts = front.width, len(front), front.vectors, seconds, share
        write([n, K, d, *facts])


if __name__ == "__main__":
    main()
