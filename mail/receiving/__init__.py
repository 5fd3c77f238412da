"""Receives mail: from the bytes that a mail server hands over, or that a mailbox holds, to what they change.

A mail is done with only after the commit of what it changes and of its answer. Until then whoever has it
keeps it; afterwards its id is remembered, so that a mail that comes again changes nothing, and is answered
once.
"""
