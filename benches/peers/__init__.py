"""What speed.toml measures against, each in its best form for one thread."""
