/** Longer ids are shown by their ends. */
const shownLength = 16

/** `sub_QSeK…wyNG`: enough of a provider's id to tell it from others; a short one is shown whole. */
export function shortId(id: string): string {
  return id.length > shownLength ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}
