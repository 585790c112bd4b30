import js from "@eslint/js";
import globals from "globals";

export default [
  // A Django template, and folders that hold no code of ours.
  { ignores: ["minesite/templates/", "**/node_modules/", "**/.venv/", "**/staticfiles/", "var/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  { files: ["**/*.mjs", "*.config.js"], languageOptions: { globals: globals.node } },
];
