export { minefield as picture } from "games/board/minefield.js";
