// The link to the player's games: the number of those that wait for the player follows the news that a board page of
// this browser asks for (news.js).
new BroadcastChannel("rayuela-news").addEventListener("message", ({ data }) => {
  const count = data.news?.turns;
  if (count === undefined) return;
  for (const one of document.querySelectorAll("#my-games :is(.turns, .next)")) one.hidden = count === 0;
  for (const number of document.querySelectorAll("#my-games b")) number.textContent = count;
});
