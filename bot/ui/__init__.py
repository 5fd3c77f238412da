"""Building blocks of the Discord front end: buttons, selects, modals, commands, replies and arguments."""
