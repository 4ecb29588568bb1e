from .archive import Archive as Archive
from .climber import Climber as Climber
from .climber import climber_memory as climber_memory
from .climber import count_moves as count_moves
from .crossover import components as components
from .crossover import pareto_crossover as pareto_crossover
from .crossover import partition_crossover as partition_crossover
from .exact import supported_front as supported_front
from .formats import read_landscape as read_landscape
from .formats import write_landscape as write_landscape
from .landscape import Landscape as Landscape
from .problems import mnk as mnk
from .problems import mnk_java as mnk_java
from .quality import attainment_surface as attainment_surface
from .quality import coverage as coverage
from .quality import epsilon as epsilon
from .quality import hypervolume as hypervolume
from .quality import igd_plus as igd_plus
from .running import Result as Result
from .running import Solution as Solution
from .running import load as load
from .running import resume as resume
from .running import save_front as save_front
from .running import solve as solve
from .running import warm_up as warm_up
from .verification import verify as verify

__version__: str
