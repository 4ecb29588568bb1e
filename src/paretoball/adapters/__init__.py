"""Other libraries, one file each, with functions only.

Nothing here is imported before it is called: each library is an extra.

- `networkx`: the co-occurrence graph
- `pandas`: a front as a table
"""
