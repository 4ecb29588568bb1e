"""`python -m paretoball` is the command line."""

import sys

from paretoball.cli import main

sys.exit(main())
