"""Files: instance formats, one file each, and what all files have in common.

- `disk`: files written whole or not at all, and checked when read
- `headers`: JSON texts with a file's format, version and options
- `naming`: labels and names in such headers
- `tables`: CSV files
- `text`: lines of words, and words as numbers
- `source`: the content of an instance file
- `npz`: archives of arrays with such a header
- `native`, `native_constraints`, `native_json`, `native_npz`: the package's own formats
  of landscapes
- `units`: steps as whole numbers of units
- `nk`: what readers of NK landscapes have in common
- `mocobench`: what the two formats of mocobench have in common
- `rmnk`: NK landscapes with several objectives, of mocobench
- `mubqp`, `mubqp_bare`: several QUBO matrices, of mocobench, with and without header
- `nk_chicano`, `nk_gomea`, `nk_tinos`, `nk_goldman`, `nk_dsmga2`: NK landscapes
- `spin`: what the two formats of spin glasses have in common
- `spin_goldman`, `spin_dsmga2`: spin glasses
- `triplets`: lists of a header `n m` and lines `i j w`
- `clause_lines`: clauses in files
- `soft_clauses`: landscapes as weighted clauses and hard ones
- `cnf`, `wcnf`, `mcnf`: formulas, one objective each or several
- `opb_statements`: landscapes as objectives and constraints of OPB
- `opb`: pseudo-Boolean objectives and constraints
- `weights`: lists of numbers in JSON
- `quadratic`: quadratic forms to be written
- `maxcut`: graphs, as in the G-set
- `beasley`, `biqmac`, `mqlib`, `qoblib`, `qpbo`, `quantagonia`: triangles of symmetric
  matrices, each with its own header, sense and first index
- `qbsolv`: `.qubo` files
- `qubist`: `.qh` files
- `qplib`: unconstrained binary problems of QPLIB
- `bqpjson`, `node_link`: quadratic forms and graphs in JSON
- `knapsacks`: what readers of knapsacks have in common
- `knapsack_zitzler`, `knapsack_gomea`, `knapsack_voptlib`: knapsacks of these authors
- `setcover`, `setcover_voptlib`: set covering with one objective and with two
- `registry`: all formats, `read_landscape` and `write_landscape`
"""

from paretoball.formats.disk import (
    OtherVersion,
    PathLike,
    atomic_write,
    check_is_path,
    check_ordinary,
    check_writable,
    locked,
    read_bytes,
    refusing,
    sweep,
)
from paretoball.formats.headers import check_format, check_keys, check_kind, parsed_json
from paretoball.formats.naming import NAMING, labels_in, names_in, naming_header
from paretoball.formats.native_npz import packed_landscape, unpacked_landscape
from paretoball.formats.npz import (
    content_digest,
    content_of,
    packed_npz,
    read_npz,
    write_npz,
)
from paretoball.formats.registry import (
    Format,
    Writer,
    check_landscape_format,
    read_described,
    read_landscape,
    write_landscape,
)
from paretoball.formats.tables import as_csv, write_table

__all__ = [
    "NAMING",
    "Format",
    "OtherVersion",
    "PathLike",
    "Writer",
    "as_csv",
    "atomic_write",
    "check_format",
    "check_is_path",
    "check_keys",
    "check_kind",
    "check_landscape_format",
    "check_ordinary",
    "check_writable",
    "content_digest",
    "content_of",
    "labels_in",
    "locked",
    "names_in",
    "naming_header",
    "packed_landscape",
    "packed_npz",
    "parsed_json",
    "read_bytes",
    "read_described",
    "read_landscape",
    "read_npz",
    "refusing",
    "sweep",
    "unpacked_landscape",
    "write_landscape",
    "write_npz",
    "write_table",
]
