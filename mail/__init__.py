"""Mail: notices about matches, and letters such as codes, handed over to the mail server of the operator."""
