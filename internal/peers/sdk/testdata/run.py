"""run.py URL SCRIPT... runs scripts one after another on the server whose address is given."""
import importlib
import sys

for script in sys.argv[2:]:
    importlib.import_module(script)
print("to the end")
