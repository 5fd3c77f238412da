"""What each person has chosen: how pictures look to them, and when and where they are reminded."""
