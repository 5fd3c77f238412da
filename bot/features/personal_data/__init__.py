"""``/mydata`` and ``/privacy``, and the periodic deletion of what was kept long enough."""
