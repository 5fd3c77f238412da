"""Time in Discord: paces in challenges, deadlines in posts, claims, time given, pauses, vacations."""
