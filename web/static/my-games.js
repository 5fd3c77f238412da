// The link to the player's games: the number of those that wait for the player follows the news that a board page of
// this browser asks for (news.js).
new BroadcastChannel("rayuela-news").addEventListener("message", ({ data }) => {
  const turns = document.querySelector("#my-games .turns");
  const count = data.news?.turns;
  if (!turns || count === undefined) return;
  turns.hidden = count === 0;
  turns.querySelector("b").textContent = count;
});
