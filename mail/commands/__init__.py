"""Carries out what a mail says, and returns the answer to it.

Whoever receives a mail asks :func:`find_situation` which match it is about, and for the board on which its
words are to be read, then :func:`carry_out`. A stranger who answers an invitation is for :func:`join`.
"""

from mail.commands.carrying_out import carry_out
from mail.commands.joining import join
from mail.commands.situation import Situation, find_situation
from mail.commands.values import Answer, MailRequest
