"""The kernel in a browser finds the same turns as the kernel of the server, from the same files."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from ai.kernel import Kernel
from ai.weights import Weights
from tests.ai.agreement import kernel_starts, start_positions
from tests.ai.test_larger_endings import random_endings
from tests.web.chromium import open_window
from web.play.hint_files import HINT_LEVEL, load_hint_files

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from ai.levels import Candidate
    from engine.game import Position
    from tests.web.environment import WebEnvironment

pytestmark = pytest.mark.asyncio(loop_scope="session")

POSITIONS, ENDINGS = 100, 4
SIMULATIONS, STEPS, PROOF = 300, 20_000, 2000  # short, so that a hundred take seconds
MOST_PLIES = 30

# Searches one after the other, each in a worker of its own, as the page does.
SEARCH = """async ([script, searches]) => {
  const found = [];
  for (const search of searches) {
    const worker = new Worker(script);
    found.push(await new Promise((resolve) => {
      worker.addEventListener("message", ({ data }) => resolve(data));
      worker.addEventListener("error", () => resolve("error"));
      worker.postMessage(search);
    }));
    worker.terminate();
  }
  return found;
}"""


@dataclass(frozen=True, slots=True)
class Search:
    """A position and the seed of its search."""

    position: Position
    seed: int

    def message(self) -> dict[str, object]:
        """Return what the page sends to its worker (hint.js)."""
        game = self.position.game
        efforts = load_hint_files((game.name,)).efforts[game.name]
        return {
            "position": str(self.position),
            "rules": game.rules_version,
            "efforts": [
                asdict(replace(each, simulations=SIMULATIONS, steps=each.steps and STEPS)) for each in efforts
            ],
            "proof": PROOF,
            "seed": self.seed,
        }

    def find_turn(self, kernel: Kernel) -> str:
        """Return the turn that the server's kernel finds."""
        kernel.load(self.position)
        weights = Weights.load(self.position.game.name)
        weights = weights.choose_for(HINT_LEVEL, kernel.phase, is_known=kernel.chances is not None)
        limit = weights.playout_limit and STEPS
        if weights.network:
            kernel.set_network(weights.network)
        kernel.set_weights(weights.pack())
        found = kernel.think(SIMULATIONS, self.seed, step_limit=limit, proof=PROOF)
        return max(found, key=_rank).text  # the first of those that are equal, as in the page


def _rank(candidate: Candidate) -> tuple[int, int, float]:
    certainty = 1 if candidate.proven in (None, 0.5) else round(2 * candidate.proven)
    return certainty, candidate.visits, candidate.prior


def make_searches(rng: random.Random) -> list[Search]:
    """Return as many searches in games of random moves, over all games and options that the kernel plays.

    Some are in endings that the kernel knows.
    """
    starts = [position for start in kernel_starts() for position in start_positions(start)]
    searches = [Search(position, seed=1) for position in islice(random_endings(1), ENDINGS)]
    while len(searches) < POSITIONS:
        position = starts[len(searches) % len(starts)]
        for _ in range(rng.randrange(MOST_PLIES)):
            after = position.play(rng.choice(list(position.legal_moves())))
            if after.to_move is None:
                break
            position = after
        searches.append(Search(position, rng.getrandbits(31)))
    return searches


@pytest.mark.long
async def test_browser_and_server_find_the_same_turns(env: WebEnvironment, browser: Browser) -> None:
    searches, kernel = make_searches(random.Random("hints")), Kernel()
    async with open_window(browser) as page:
        await page.goto(f"{env.base}/new")
        version = await page.evaluate(
            "[...document.querySelectorAll('link, script')].map((one) => one.href || one.src)"
            ".find((url) => url.includes('/static/')).replace(/[^/]*$/, '')"
        )
        found = await page.evaluate(SEARCH, [f"{version}hint-worker.js", [one.message() for one in searches]])
    expected = [one.find_turn(kernel) for one in searches]
    assert [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]] == []
    assert len(found) == POSITIONS
