"""What those who run a server do with the bot, and who keeps clear of whom."""
