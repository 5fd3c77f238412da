"""Names on the website: which are possible, who has them, and when they change."""

import asyncio

import pytest

from matches import AliasRefused, Matches, Person, Refusal
from matches.people.handles import FORMER_LIFETIME, clean_handle
from tests.matches.scenario import ALICE, BOB, NOON, later, make_challenge

WEB = Person("web:" + "a" * 24, "Guest")


@pytest.mark.parametrize(
    "name",
    ["Ann", "ann_b-2", "Žofie", "Борис", "たろう", "नमस्ते", "99luft", "x" * 20, "山田Taro", "カー9", "김Lee"],
)
def test_possible_names(name: str) -> None:
    assert clean_handle(f" {name} ") == name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((one, "handle_length") for one in ("", "ab", "x" * 21, "x" * 10_000)),
        *(
            (one, "handle_signs")
            for one in ("a b", "_ann", "-ann", "ann.b", "a/b", "ann\u200b", "ann\u202e", "❤❤❤")
        ),
        *(
            (one, "handle_reserved")
            for one in ("Admin", "\u0391dmin", "a-d-m-i-n", "Rayuela", "Rayue1a-2", "anonymous")
        ),
        *((one, "handle_reserved") for one in ("r\u0251yuela", "\u1d00dmin", "rnoderator")),
        # Armenian, Cherokee, Cyrillic, Arabic and Thai among Latin letters, and Greek among Cyrillic ones.
        *(
            (one, "handle_mixed")
            for one in ("\u0585livia", "\u13aadam", "pete\u0433", "ann\u0660", "t\u0e19m", "Борι\u03c3")
        ),
        *((one, "handle_reserved") for one in ("deleted_player", "moderat0r", "signin", "SYSTEM", "guest")),
    ],
)
def test_impossible_names(name: str, key: str) -> None:
    with pytest.raises(Refusal, match=key):
        clean_handle(name)


async def meet(matches: Matches, *people: Person) -> None:
    for one in people:
        await make_challenge(matches, one)


async def test_names_that_look_alike_belong_to_one_person(matches: Matches) -> None:
    await meet(matches, ALICE, BOB)
    handles = matches.people.handles
    assert await handles.choose(ALICE.account, "Heron", now=NOON) == "Heron"
    for name in ("Heron", "HERON", "hérön", "\u041d\u0435ron", "He-ron", "her0n"):
        assert await handles.find(name) == ALICE.account
        with pytest.raises(Refusal, match=r"handle_taken|handle_mixed"):
            await handles.choose(BOB.account, name, now=NOON)
    with pytest.raises(AliasRefused, match="alias_taken"):
        await matches.visibility.set_alias(BOB, "Heron", now=NOON)
    assert await handles.get(BOB.account) is None
    assert await handles.find("heron2") is None


async def test_alias_of_somebody_else_is_taken(matches: Matches) -> None:
    await meet(matches, ALICE, BOB)
    await matches.visibility.set_alias(ALICE, "Kestrel", now=NOON)
    for name in ("Kestrel", "KESTREL", "kestrel"):
        with pytest.raises(Refusal, match="handle_taken"):
            await matches.people.handles.choose(BOB.account, name, now=NOON)
    assert await matches.people.handles.choose(ALICE.account, "kestrel", now=NOON) == "kestrel"
    # Display names of Discord are many people's.
    assert await matches.people.handles.choose(BOB.account, ALICE.name, now=NOON) == ALICE.name


async def test_name_changes_once_a_month_and_its_spelling_always(matches: Matches) -> None:
    await meet(matches, ALICE)
    handles = matches.people.handles
    await handles.choose(ALICE.account, "Heron", now=NOON)
    await handles.choose(ALICE.account, "HERON", now=later(days=1))
    with pytest.raises(Refusal, match="handle_too_soon") as refused:
        await handles.choose(ALICE.account, "Owl", now=later(days=29))
    assert refused.value.values["until"] == later(days=30)
    assert await handles.choose(ALICE.account, "Owl", now=later(days=30)) == "Owl"
    found = await handles.get(ALICE.account)
    assert found is not None
    assert (found.name, found.changeable_at) == ("Owl", later(days=60))


async def test_former_name_is_kept_for_its_owner(matches: Matches) -> None:
    await meet(matches, ALICE, BOB)
    handles = matches.people.handles
    await handles.choose(ALICE.account, "Heron", now=NOON)
    await handles.choose(ALICE.account, "Owl", now=later(days=40))
    with pytest.raises(Refusal, match="handle_taken"):
        await handles.choose(BOB.account, "heron", now=later(days=40))
    assert await handles.find("heron") == await handles.find("owl") == ALICE.account
    await handles.choose(ALICE.account, "Heron", now=later(days=80))
    assert await handles.find("owl") == ALICE.account
    await handles.delete_old(now=later(days=80) + FORMER_LIFETIME)
    assert await handles.find("owl") == ALICE.account
    await handles.delete_old(now=later(days=81) + FORMER_LIFETIME)
    assert (await handles.find("owl"), await handles.find("heron")) == (None, ALICE.account)
    await handles.choose(BOB.account, "owl", now=later(days=82))


@pytest.mark.long
async def test_one_of_two_processes_gets_the_name(matches: Matches, other_matches: Matches) -> None:
    people = [Person(f"test:{number}", "x") for number in range(8)]
    await meet(matches, *people)
    chosen = await asyncio.gather(
        *(
            (matches, other_matches)[number % 2].people.handles.choose(one.account, "Heron", now=NOON)
            for number, one in enumerate(people)
        ),
        return_exceptions=True,
    )
    assert sorted(map(str, chosen)) == ["Heron", *["handle_taken"] * 7]
    assert await matches.people.handles.find("heron") in {one.account for one in people}


async def test_name_of_a_website_account_is_the_name_in_matches(matches: Matches) -> None:
    await meet(matches, ALICE, WEB)
    await matches.people.handles.choose(WEB.account, "Heron", now=NOON)
    await matches.people.handles.choose(ALICE.account, "Owl", now=NOON)
    await meet(matches, WEB, ALICE)  # with the names of a page that was opened before
    for account, name in ((WEB.account, "Heron"), (ALICE.account, "Alice")):
        found = await matches.people.accounts.get(account)
        assert found is not None
        assert found.name == name


async def test_nobody_unknown_has_a_name(matches: Matches) -> None:
    with pytest.raises(Refusal, match="nothing_stored"):
        await matches.people.handles.choose("web:nobody", "Heron", now=NOON)
