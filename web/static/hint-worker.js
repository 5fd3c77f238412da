// Looks for a good turn with the kernel of the computer opponent (ai/kernel), in a thread of its own: the page stays
// usable, and only this script, whose headers allow it, compiles WebAssembly. The server checks the turn that it finds.

self.addEventListener("message", async ({ data }) => {
  try {
    self.postMessage(await findTurn(data));
  } catch {
    self.postMessage("");
  }
});

// Returns the text of the best turn in a position; empty if there is none.
async function findTurn({ position, rules, efforts, proof, seed }) {
  const { exports: kernel } = (await WebAssembly.instantiate(await load("./kernel.wasm"))).instance;
  const bytes = () => new Uint8Array(kernel.memory.buffer);
  const line = new TextEncoder().encode(position);
  bytes().set(line, kernel.text_address());
  if (!kernel.load(line.length, rules)) return "";
  const fits = ({ phase, large }) => kernel.position_phase() >= phase && (!large || kernel.position_chances());
  const effort = efforts.find(fits);
  const files = [effort.weights, effort.network].filter(Boolean).map((name) => load(`./${name}`));
  const [numbers, network] = await Promise.all(files);
  bytes().set(new Uint8Array(numbers), kernel.weights_address());
  if (network) setNetwork(kernel, new Int16Array(network));
  const length = kernel.think(effort.simulations, effort.steps, seed, 0, 0, proof);
  const start = kernel.text_address();
  return best(new TextDecoder().decode(bytes().slice(start, start + length)));
}

// The file has fixed-point numbers, the kernel wants floats (pack_network in ai/weights). Their count says which network they are.
function setNetwork(kernel, numbers) {
  const network = [0, 1, 2].find((each) => kernel.network_size(each) === numbers.length * Float32Array.BYTES_PER_ELEMENT);
  new Float32Array(kernel.memory.buffer, kernel.network_address(network), numbers.length).set(Float32Array.from(numbers, (each) => each / 4096));
}

async function load(name) {
  const response = await fetch(new URL(name, self.location.href));
  if (!response.ok) throw new Error(name);
  return response.arrayBuffer();
}

// A turn that is proven to win comes first, one that is proven to lose last; of the others the one searched most.
function best(lines) {
  const order = { 1: 2, 0: 0 };
  const turns = lines.split("\n").filter(Boolean).map((line) => {
    const [text, visits, , prior, proven] = line.split(" ");
    return { text, rank: [order[proven] ?? 1, Number(visits), Number(prior)] };
  });
  turns.sort((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1] || b.rank[2] - a.rank[2]);
  return turns[0]?.text ?? "";
}
