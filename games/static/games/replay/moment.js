// A moment in the address: /match/x/#t=12500&view=1

export function readMoment(hash = location.hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const time = Number(fields.get("t"));
  return {
    time: fields.has("t") && Number.isFinite(time) && time >= 0 ? time : null,
    view: fields.get("view") ?? "",
  };
}

/** @param {number} time @param {string} view */
export function momentHash(time, view) {
  return `#t=${Math.round(time)}&view=${view}`;
}
