"""What `run.py` is made of: kernels on a GPU against the CPU, bit for bit, and their speed."""
