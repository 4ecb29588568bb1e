"""How long does it take to make a landscape, to set up its climber, and to start?

Counting moves and telling the memory of a climber are what `info` does beforehand.
"""

import paretoball as pb
from measuring import arguments, begin, note, printer, seconds_of, set_up
from paretoball.paper.trial import start_seconds

K, D, Q = 3, 2, 100
CASES = [("adjacent", n, r) for n in (10_000, 100_000) for r in (1, 2, 3)]
CASES += [("random", n, r) for n in (1_000, 10_000) for r in (1, 2)]
COLUMNS = "model,n,K,d,r,moves,landscape_s,count_s,predict_s,setup_s,start_ms"


def main() -> None:
    """Print a line of CSV for each landscape and radius."""
    options = begin(arguments(__doc__, repeat=3))
    write = printer(COLUMNS)
    pb.mnk(n=100, K=K, d=D, model="random", seed=1)  # compile
    for model, n, r in CASES:
        if options.quick and n > 10_000:
            continue
        note(f"{model}, n = {n:,}, r = {r}")
        made, landscape = seconds_of(pb.mnk, n, K, D, Q, model, 1)
        setup, climber = set_up(landscape, r, options.repeat)
        counting, moves = seconds_of(pb.count_moves, landscape, r)
        predicting, _ = seconds_of(pb.climber_memory, landscape, r)
        times = [f"{each:.3f}" for each in (made, counting, predicting, setup)]
        start_ms = f"{1e3 * start_seconds(climber):.3f}"
        write([model, n, K, D, r, moves, *times, start_ms])


if __name__ == "__main__":
    main()
