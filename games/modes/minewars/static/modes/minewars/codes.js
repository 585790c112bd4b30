// The mirror of rules/tiles.py: everything a viewer knows about a tile, packed into one number.

export const WATER = 0;
export const LAND = 1;
export const FERTILE = 2;
export const DESTROYED = 3;
export const FOUNDATION = 4;
export const MOUNTAIN = 5;
export const FOREST = 6;

export const MINE = 1;
export const DECOY = 2;
export const FLASHBANG = 3;
export const ITEMS = ["none", "mine", "decoy", "flashbang"];

export const ROAD = 1;
export const BARRICADE = 2;
export const TOWER = 3;
export const BRIDGE = 4;
export const STRUCTURES = ["none", "road", "barricade", "tower", "bridge"];

export const FOG = 0;
export const LIMITED = 1;
export const FULL = 2;

/** @param {number} code */
export const kindOf = (code) => code & 7;
/** @param {number} code */
export const levelOf = (code) => (code >> 3) & 3;
/** 0: nobody. @param {number} code */
export const ownerOf = (code) => (code >> 5) & 7;
/** @param {number} code */
export const itemOf = (code) => (code >> 8) & 3;
/** @param {number} code */
export const structureOf = (code) => (code >> 10) & 7;
/** @param {number} code */
export const hpOf = (code) => (code >> 13) & 15;
/** @param {number} code */
export const pendingOf = (code) => (code >> 17) & 7;
/** -1: none is shown. @param {number} code */
export const digitOf = (code) => ((code >> 20) & 15) - 1;
/** @param {number} code */
export const isStarred = (code) => (code & (1 << 24)) !== 0;
/** @param {number} code */
export const isSmoked = (code) => (code & (1 << 25)) !== 0;
/** @param {number} code */
export const isProtected = (code) => (code & (1 << 26)) !== 0;
/** @param {number} code */
export const hasSkull = (code) => (code & (1 << 27)) !== 0;
/** @param {number} code */
export const isFlagged = (code) => (code & (1 << 28)) !== 0;

/** Land that can be captured, except cities. @param {number} code */
export const isLandKind = (code) => kindOf(code) >= LAND && kindOf(code) <= FOUNDATION;
/** A mountain or forest, owned as a whole. @param {number} code */
export const isClusterKind = (code) => kindOf(code) >= MOUNTAIN;
