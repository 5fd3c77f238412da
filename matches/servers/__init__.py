"""What the managers of a server decide: settings, threads, exclusions, corrected results."""
