// A page with miniature boards and nothing else that moves.

import { findAll } from "site/dom.js";

import { startMinis } from "./minis.js";

startMinis(findAll("[data-mini]"));
