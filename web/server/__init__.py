"""What every request passes: connections, limits, origins, cookies, forms, static files."""
