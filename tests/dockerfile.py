"""``python -m tests.dockerfile``: the steps of the Dockerfile without Docker, in a clean virtual environment.

Installs and copies what the Dockerfile does, and runs the container's command. Without a token the bot must
exit with one sentence; with a token it must connect (to the loopback Discord, through a proxy), pass the
image's health check, and exit with 0 on SIGTERM.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.discord_server import DiscordServer
from tests.proxy import Proxy

ROOT = Path(__file__).resolve().parent.parent
FOLDER = re.compile(r"/(app|data)(?=/|$)")
STEP_TIMEOUT = 60  # seconds after which a step has failed


@dataclass(frozen=True, slots=True)
class Image:
    """The instructions of the Dockerfile, with `app` and `data` in place of /app and /data."""

    steps: tuple[tuple[str, str], ...]  # (instruction, arguments)
    app: Path
    data: Path

    def relocate(self, text: str) -> str:
        """Return `text` with /app and /data replaced by local folders."""
        return FOLDER.sub(lambda found: str(self.app if found[1] == "app" else self.data), text)

    def all_of(self, instruction: str) -> list[str]:
        """Return the arguments of every instruction of this name."""
        return [rest for name, rest in self.steps if name == instruction]

    def command(self, text: str) -> list[str]:
        """Return the arguments of a command in exec form."""
        return [self.relocate(part) for part in json.loads(text)]

    @property
    def environment(self) -> dict[str, str]:
        """The image's environment variables, with PATH and the folder of the health file, and no others."""
        pairs = dict(part.split("=", 1) for rest in self.all_of("ENV") for part in shlex.split(rest))
        base = {"PATH": os.environ["PATH"], "TMPDIR": str(self.data)}
        return base | {name: self.relocate(value) for name, value in pairs.items()}


def read_dockerfile(app: Path, data: Path) -> Image:
    """Read the Dockerfile."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    return Image(tuple((name, rest) for name, rest in lines), app, data)


def install(image: Image) -> None:
    """Copy the files and run the Python steps; steps for users and packages of the system are left out."""
    for rest in image.all_of("COPY"):
        if rest.startswith("--from"):
            continue
        source, target = rest.split()
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, image.app / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            copied = image.app / target
            copied.parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / source, copied)
    installing = [rest for rest in image.all_of("RUN") if "venv" in rest]
    system = [rest.split()[0] for rest in image.all_of("RUN") if rest not in installing]
    assert system == ["apt-get", "useradd"], "only packages and the user are made without Python"
    for rest in installing:
        first, *others = shlex.split(rest)
        arguments = [
            sys.executable if first == "python" else image.relocate(first),
            *map(image.relocate, others),
        ]
        result = subprocess.run(  # noqa: S603 - our own Dockerfile
            arguments, cwd=image.app, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise SystemExit(f"The step {rest!r} fails:\n{result.stdout}{result.stderr}")


def check_refusal_without_token(image: Image) -> None:
    """Run without a token: exit code 2 and one sentence that names the missing setting."""
    result = subprocess.run(  # noqa: S603
        image.command(image.all_of("CMD")[-1]),
        cwd=image.app,
        env=image.environment,
        capture_output=True,
        text=True,
        timeout=STEP_TIMEOUT,
        check=False,
    )
    lines = result.stderr.splitlines()
    if result.returncode != 2 or len(lines) != 1 or "DISCORD_TOKEN" not in lines[0]:
        raise SystemExit(f"Without a token it must exit with 2 and one sentence, not {result!r}")


async def is_healthy(image: Image, environment: dict[str, str]) -> bool:
    """Run the image's health check once."""
    check = image.all_of("HEALTHCHECK")[0].partition("CMD ")[2]
    process = await asyncio.create_subprocess_exec(
        *image.command(check), cwd=image.app, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    return await process.wait() == 0


async def check_service(image: Image) -> None:
    """Run with a token: the bot connects, becomes healthy, and exits with 0 on SIGTERM."""
    async with DiscordServer(check=False) as discord, Proxy(discord.port) as proxy:
        discord.guild("Salon")
        environment = image.environment | {
            "DISCORD_TOKEN": discord.token,
            "DISCORD_PROXY": proxy.url,
            "SSL_CERT_FILE": str(discord.ca_file),
        }
        if await is_healthy(image, environment):
            raise SystemExit("The health check passes although the bot is not running.")
        process = await asyncio.create_subprocess_exec(
            *image.command(image.all_of("CMD")[-1]), cwd=image.app, env=environment
        )
        try:
            await discord.wait_until_connected()
            async with asyncio.timeout(STEP_TIMEOUT):
                while not await is_healthy(image, environment):
                    if process.returncode is not None:
                        raise SystemExit(f"The bot stopped by itself with {process.returncode}.")
            process.send_signal(signal.SIGTERM)
            code = await asyncio.wait_for(process.wait(), STEP_TIMEOUT)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code != 0:
            raise SystemExit(f"The bot must exit with 0 on SIGTERM, not {code}.")


def main() -> None:
    """Run all steps; the first failure exits with a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        app, data = Path(folder) / "app", Path(folder) / "data"
        app.mkdir()
        data.mkdir()
        image = read_dockerfile(app, data)
        install(image)
        check_refusal_without_token(image)
        asyncio.run(check_service(image))
    print("The Dockerfile's steps work: install, start, health check, stop.")  # noqa: T201


if __name__ == "__main__":
    main()
