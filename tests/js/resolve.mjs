// Lets Node find modules by the names of the pages' import map: `node --import ./tests/js/resolve.mjs`.
import { register } from "node:module";

register("./import-map.mjs", import.meta.url);
