// The long fight by boardgame.io: node boardgame.mjs FOLDER FIGHT BATCHES
//
// FOLDER has boardgame.io in its node_modules; FIGHT is the JSON that turns.py writes for a peer. The fight is played
// through a client, move by move. Then each position is shown as boardgame.io's own log panel shows one: the game's
// reducer goes from the initial state through the log up to that move (`rewind` in its debug panel's log), and
// everybody's hit points and condition are read. Prints JSON, medians over the batches in milliseconds, and the hit
// points found at each position, which are to be those of the fight.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

process.env.NODE_ENV = "production"; // as in a built page: no debugging aids
const [folder, fightFile, batches] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), "package.json"));
const { Client } = require("boardgame.io/client");
const { CreateGameReducer } = require("boardgame.io/internal");
const { fighters, moves, hp } = JSON.parse(readFileSync(fightFile, "utf8"));

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
const time = (job) => {
  const start = performance.now();
  const made = job();
  return [performance.now() - start, made];
};

const game = {
  name: "long-fight",
  setup: () => ({ fighters: fighters.map((fighter) => ({ ...fighter, evading: 0 })) }),
  turn: {
    minMoves: 1,
    maxMoves: 1,
    onBegin: ({ G, ctx }) => {
      G.fighters[Number(ctx.currentPlayer)].evading = 0;
    },
  },
  moves: {
    strike: ({ G }, targets, bonus, faces) => {
      targets.forEach((place, n) => {
        const target = G.fighters[place];
        const face = faces[n];
        if (face !== 20 && face + bonus < target.agility + target.evading) return;
        target.hp = Math.max(0, target.hp - (face === 20 ? 2 : 1));
      });
    },
    evade: ({ G, ctx }, targets, bonus) => {
      G.fighters[Number(ctx.currentPlayer)].evading = bonus;
    },
    heal: ({ G }, [place], bonus, [face]) => {
      const target = G.fighters[place];
      if (face === 20 || face + bonus >= 10) target.hp = Math.floor(target.max / 2) + 1;
    },
  },
};

const condition = ({ hp, max }) => (hp === 0 ? "incapacitated" : hp > Math.floor(max / 2) ? "healthy" : "injured");

function play() {
  const client = Client({ game, numPlayers: fighters.length, debug: false });
  client.start();
  for (const { who, do: name, targets, bonus, faces } of moves) {
    if (client.getState().ctx.currentPlayer !== String(who)) throw new Error(`it is not the turn of ${who}`);
    client.moves[name](targets, bonus, faces);
  }
  return client;
}

function show(client) {
  const reducer = CreateGameReducer({ game: client.game });
  const initial = client.getInitialState();
  const { log } = client;
  const rewind = (logIndex) => {
    let state = initial;
    for (const { action, automatic } of log) {
      if (automatic) continue;
      state = reducer(state, action);
      if (logIndex === 0) break;
      logIndex--;
    }
    return { G: state.G, ctx: state.ctx, plugins: state.plugins };
  };
  const seen = [];
  let healthy = 0;
  for (let n = 0; n < moves.length; n++) {
    const { G } = rewind(n);
    healthy += G.fighters.filter((fighter) => condition(fighter) === "healthy").length;
    seen.push(G.fighters.map((fighter) => fighter.hp));
  }
  return { seen, healthy };
}

const played = [];
const shown = [];
let found;
for (let batch = 0; batch <= Number(batches); batch++) {
  const [playing, client] = time(play);
  const [showing, { seen }] = time(() => show(client));
  found = seen;
  if (batch) {
    played.push(playing); // the first batch, before anything is compiled, doesn't count
    shown.push(showing);
  }
}
if (JSON.stringify(found) !== JSON.stringify(hp)) {
  const n = found.findIndex((each, place) => JSON.stringify(each) !== JSON.stringify(hp[place]));
  console.error(`boardgame.io plays another fight: after move ${n + 1} expected ${hp[n]}, got ${found[n]}`);
  process.exit(1);
}
const { version } = require("boardgame.io/package.json");
console.log(JSON.stringify({ played_ms: median(played), shown_ms: median(shown), version }));
process.exit(0);
