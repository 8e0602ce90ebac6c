export type Random = ReturnType<typeof newRandom>

/** Pseudo-random numbers that are the same for a seed (mulberry32), so that a run can be repeated. */
export function newRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return {
    /** A whole number, both ends included. */
    int,
    pick,
    /** True in this share of cases. */
    chance: (share: number) => next() < share,
    /** Several different items. */
    sample<Item>(items: readonly Item[], size: number): Item[] {
      const left = [...items]
      return Array.from({ length: Math.min(size, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat()
    },
  }
}
