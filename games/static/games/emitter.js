// emitter() -> { on(type, listener) -> off, emit(type, value) }

export function emitter() {
  const listeners = new Map();
  return {
    on(type, listener) {
      if (!listeners.has(type)) listeners.set(type, new Set());
      listeners.get(type).add(listener);
      return () => listeners.get(type).delete(listener);
    },
    emit(type, value) {
      for (const listener of listeners.get(type) ?? []) listener(value);
    },
  };
}
