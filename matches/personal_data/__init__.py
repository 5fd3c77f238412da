"""What is kept about persons: told, exported, erased, and deleted when it is no longer needed."""
