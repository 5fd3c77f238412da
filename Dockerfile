# Python 3.11 is the version that the tests run on. Debian 13 has pg_dump 17, as compose.cluster.yaml has PostgreSQL 17.
FROM python:3.11-slim-trixie AS build
WORKDIR /app
COPY requirements.lock .
RUN python -m venv /app/venv
RUN /app/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.11-slim-trixie
LABEL org.opencontainers.image.title="Rayuela" \
      org.opencontainers.image.description="A correspondence server for abstract games that lives in Discord." \
      org.opencontainers.image.licenses="MIT"
# pg_dump and pg_restore, for backups of PostgreSQL.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin rayuela && install -d -o rayuela /data
WORKDIR /app
COPY --from=build /app/venv /app/venv
COPY LICENSE ./
COPY engine engine
COPY ai ai
COPY render render
COPY storage storage
COPY matches matches
COPY i18n i18n
COPY move_builder move_builder
COPY rules rules
COPY lessons lessons
COPY metrics metrics
COPY runtime runtime
COPY backups backups
COPY mail mail
COPY bot bot
COPY web web
COPY push push
COPY docs/privacy.md docs/privacy.md
COPY docs/terms.md docs/terms.md
COPY docs/de/privacy.md docs/de/privacy.md
COPY docs/de/terms.md docs/de/terms.md
COPY docs/ja/privacy.md docs/ja/privacy.md
COPY docs/ja/terms.md docs/ja/terms.md
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATABASE_URL=sqlite+aiosqlite:////data/rayuela.db \
    BACKUP_DIR=/data/backups
USER rayuela
EXPOSE 8080
VOLUME /data
STOPSIGNAL SIGTERM
# Healthy: the gateway is connected, the database answers, and no backup is overdue.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["/app/venv/bin/python", "-m", "bot.health"]
CMD ["/app/venv/bin/python", "-m", "bot"]
