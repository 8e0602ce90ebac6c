/** A number from 0 to 2³² − 1 that looks drawn, and is the same each time: what a seed and a place in a row give. */
export function drawn(seed: string, index: number): number {
  let hash = 2_166_136_261 ^ index
  for (const letter of `${seed}:${index}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** One of several, the same each time. */
export function oneOf<Item>(items: readonly Item[], seed: string, index: number): Item {
  const item = items[drawn(seed, index) % items.length]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}

/** Letters and digits that nobody mixes up. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** `65410-00107-KD93M-4F7K2Q`: the vendor's number, the product's, and what cannot be guessed. */
export function keyOf(product: number, seed: string, index: number): string {
  const letters = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, place) => alphabet[drawn(`${seed}/${place + from}`, index) % alphabet.length],
    ).join('')
  return `65410-${String(product).padStart(4, '0')}${letters(0, 1)}-${letters(1, 5)}-${letters(6, 6)}`
}

/** Of the range that no maker of network cards uses. */
export function macOf(seed: string, index: number): string {
  const bytes = [0, 1, 2, 3, 4].map((place) => drawn(`${seed}#${place}`, index) % 256)
  return [0x02, ...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':')
}
