// Entry point for pages whose only live part is their miniature boards.

import { findAll } from "site/dom.js";

import { startMinis } from "./minis.js";

startMinis(findAll("[data-mini]"));
