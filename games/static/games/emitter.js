// emitter() -> { on(type, listener) -> off, emit(type, value) }

/**
 * `Events` maps the name of an event to the value that its listeners get.
 * @template {Record<string, any>} [Events=Record<string, any>]
 * @typedef {object} Emitter
 * @property {<T extends keyof Events & string>(type: T, listener: (value: Events[T]) => void) => () => void} on
 *   listen; returns a function that stops it
 * @property {<T extends keyof Events & string>(type: T, value?: Events[T]) => void} emit
 */

/** @returns {Emitter<any>} */
export function emitter() {
  /** @type {Map<string, Set<(value: any) => void>>} */
  const listeners = new Map();
  return {
    on(type, listener) {
      const found = listeners.get(type) ?? new Set();
      listeners.set(type, found.add(listener));
      return () => void found.delete(listener);
    },
    emit(type, value) {
      for (const listener of listeners.get(type) ?? []) listener(value);
    },
  };
}
