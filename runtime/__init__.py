"""What every process of ours needs to run: settings from outside, logs, and how it gives up."""
