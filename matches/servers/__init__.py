"""What those who run a server settle: its settings, its threads, who may play in it, corrected results."""
