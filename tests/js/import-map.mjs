// "games/emitter.js" is games/static/games/emitter.js, and so on for each app.
const root = new URL("../../", import.meta.url);
const APPS = { site: "minesite", games: "games", lobby: "lobby", accounts: "accounts" };

export function resolve(name, context, next) {
  const [first, second] = name.split("/");
  const app = second === "tournaments" ? "lobby/tournaments" : APPS[first];
  return next(app ? new URL(`${app}/static/${name}`, root).href : name, context);
}
