import { clearedField } from "games/lobby/scenes.js";

/** @import { Scene } from "games/lobby/types.d.ts" */

/** @returns {Scene} */
export const scene = () => clearedField(13, 6, [4, 18, 22, 38, 47, 55, 62, 68]);
