"""What every process of Rayuela needs: settings from the environment, logs, exit codes."""
