"""croq beside the tools people use today, on one GPU, in one run (docs/benchmarks.md)."""
