"""A small file of each format, by its name: the name of a file, and its text."""

ASKED_BACK = {"mqlib"}  # neither content nor suffix say the format
SAMPLES: dict[str, tuple[str, str]] = {
    "cnf": ("a.cnf", "c two clauses\np cnf 4 3\n1 -2 0\n2 3\n-4 0\n-1 4 0\n%\n0\n"),
    "wcnf": ("a.wcnf", "c soft\n3 1 -2 0\n2 2 3 -4 0\nh 1 2 -4 0\n7 -1 0\n"),
    "mcnf": (
        "a.mcnf",
        "c two objectives\nh 1 -2 3 0\no1 3 1 -2 0\no2 2 2 3 0\no 1 4 -3 0\nh 2 0\n",
    ),
    "opb": (
        "a.opb",
        "* #variable= 4 #constraint= 3\n"
        "min: +3 x1 -2 ~x2 +1 x3 x4 ;\nmax: 2 x1 +5 x4;\n"
        "+1 x1 +2 ~x3 >= 1;\n3 x1 x2 -1 x4 < 3;\n+1 x2 +1 x3 +1 x4 = 2;\n",
    ),
    "knapsack-zitzler": (
        "knapsacks.txt",
        "knapsack problem specification (2 knapsacks, 3 items)\n"
        "=\nknapsack 1:\n capacity: +7\n item 1:\n  weight: +4\n  profit: +5\n"
        " item 2:\n  weight: +3\n  profit: +6\n item 3:\n  weight: +5\n  profit: +2\n"
        "=\nknapsack 2:\n capacity: +8.5\n item 1:\n  weight: +2\n  profit: +9\n"
        " item 2:\n  weight: +6\n  profit: +1\n item 3:\n  weight: +7\n  profit: +8\n",
    ),
    "knapsack-gomea": (
        "knapsack.3.2.txt",
        "2 3\n\n+7\n1\n+4\n+5\n2\n+3\n+6\n3\n+5\n+2\n\n+8.5\n1\n+2\n+9\n2\n+6\n"
        "+1\n3\n+7\n+8\n",
    ),
    "knapsack-voptlib": (
        "2KP3.dat",
        "# N=3/P=2/K=1\n\n# N\n3\n# P\n2\n# K\n1\n# Objectif 1\n5\n6 \n2\n"
        "# Objectif 2\n9\n1\n8\n# Contrainte 1\n4\n3\n5\n\n7\n",
    ),
    "setcover": (
        "scp.txt",
        " 3 5\n   4   2   7   1   3\n 2\n 1 3\n 3\n 2 4 5\n 2\n 3 4\n",
    ),
    "setcover-voptlib": (
        "2scp.dat",
        " 3 5\n   4   2   7   1   3\n   1   6   2   2   9\n 2\n 1 3\n 3\n 2 4 5\n"
        " 2\n 3 4\n",
    ),
    "maxcut": ("a.txt", "4 5\n1 2 3\n2 3 -1\n3 4 2\n1 4 5\n1 3 1\n"),
    "beasley": ("bqp.txt", "1\n4 5\n1 1 10\n1 2 3\n2 3 -1\n3 4 2\n4 4 -5\n"),
    "biqmac": ("a.bq", "4 5\n1 1 10\n1 2 3\n2 3 -1\n3 4 2\n4 4 -5\n"),
    "mqlib": ("a.mqlib", "# a QUBO\n4 5\n1 1 10\n1 2 3\n2 3 -1\n3 4 2\n4 4 -5\n"),
    "qubo": ("a.qubo", "c a QUBO\np qubo 0 4 2 2\n0 0 3\n2 2 -1.5\n0 1 2\n1 3 -4\n"),
    "quantagonia": (
        "b.qubo",
        "MINIMIZE\n1\n1.0\n2.5\n3 4\n0 0 1.5\n0 1 -2\n1 2 3\n2 2 -1\n",
    ),
    "qs": ("a.qs", "# ObjectiveOffset 3\n4 4\n1 1 10\n1 2 3\n2 3 -1\n4 4 -5\n"),
    "qpbo": ("a.qpbo", "4 5\n1 1 10\n1 2 3\n2 3 -1\n3 4 2\n4 4 -5\n"),
    "qubist": ("a.qh", "4 3\n1 1 0.5\n1 2 3\n2 3 -1.25\n"),
    "bqpjson": (
        "bqp.json",
        '{"version": "1.0.0", "id": 1, "variable_domain": "spin", "scale": 2.0,\n'
        '"offset": 1.5, "variable_ids": [0, 2, 5], "metadata": {},\n'
        '"linear_terms": [{"id": 0, "coeff": 1.5}, {"id": 5, "coeff": -2.0}],\n'
        '"quadratic_terms": [{"id_head": 2, "id_tail": 0, "coeff": 3.0}]}\n',
    ),
    "qplib": (
        "QPLIB_1.qplib",
        "QPLIB_1 # name\nQBN\nminimize\n4\n3 # quadratic terms\n1 1 2.0\n2 1 -3.0\n"
        "4 3 1.5\n0.0 # default b\n1\n2 4.0\n7.5 # constant\n1e30\n0.0\n0\n0\n0\n0\n",
    ),
    "node-link": (
        "graph.json",
        '{"directed": false, "multigraph": false, "graph": {},\n'
        '"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],\n'
        '"edges": [{"weight": 2, "source": "a", "target": "b"},\n'
        '{"weight": -1.5, "source": "b", "target": "c"}]}\n',
    ),
    "rmnk": (
        "a.dat",
        "c a comment\np rMNK 0 2 3 1\np links\n0 0\n1 2\n1 1\n2 0\n2 2\n0 1\np tables\n"
        + "".join(f"0.{p}25 0.{9 - p % 9}\n" for p in range(12)),
    ),
    "mubqp": (
        "b.dat",
        "c a comment\np MUBQP 0 2 3 0.8\np matrices\n"
        + "".join(f"{p * 7 % 11 - 5} {p * 5 % 13 - 6}\n" for p in range(9)),
    ),
    "mubqp-bare": (
        "mub3.dat",
        "".join(f"{p * 7 % 11 - 5}  {p * 5 % 13 - 6}  \n" for p in range(9)),
    ),
    "nk-chicano": (
        "a.nk",
        "c a comment\np NK 4 1 10\nm 0 1\n1 2 3 4\nm 1 2\n5 6 7 8\nm 2 3\n9 1 2 3\n"
        "m 3 0\n4 5 6 7\n",
    ),
    "nk-gomea": (
        "gomea.txt",
        "3 2\n2 0 1\n"
        '"00" 0.5\n"01" 0.25\n"10" 1\n"11" 0\n'
        '2 1 2 \n"00" 0.5\n"01" 0.25\n"10" 1\n"11" 0.125\n',
    ),
    "nk-goldman": (
        "goldman.txt",
        "0.5 0000\n3.1 1111\n0.1 0.2 0.3 0.4\n0.5 0.6 0.7 0.8\n0.9 0.1 0.2 0.3\n"
        "0.4 0.5 0.6 0.7\n",
    ),
    "spin-goldman": ("spin.txt", "-4 1010\n4\n0 1 1\n1 2 -1\n2 3 -1\n3 0 -1\n"),
    "spin-dsmga2": ("spin_4", "4\n-1.0\n1 2  -1\n2 3  1\n3 4  1\n4 1  -1\n"),
    "nk-dsmga2": (
        "pnk4",
        "4 1 1\n0.1 0.2 0.3 0.4\n0.5 0.6 0.7 0.8\n0.9 0.1 0.2 0.3\n0.4 0.5 0.6 0.7\n"
        "2.9\n0 1 2 3\n",
    ),
    "nk-tinos": (
        "tinos.dat",
        "Parameters\n3 1\nF_el\n0.1 0.2 0.3 0.4\n0.5 0.6 0.7 0.8\n0.9 0.1 0.2 0.3\n"
        "M\n1 1 0\n0 1 1\n1 0 1\n",
    ),
}
