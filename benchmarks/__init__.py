"""Every figure in the README and docs comes from here: `python -m benchmarks.NAME` → `benchmarks/results/NAME.json`."""
