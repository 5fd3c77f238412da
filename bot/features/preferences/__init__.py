"""A person's own settings: a private panel of two pages, one about pictures and one about reminders."""
