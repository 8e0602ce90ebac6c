/**
 * The characters of a TrueType font, from its `cmap` table (OpenType, format 12). Text may only use characters that the font
 * has; others would be an empty box, or nothing.
 */
export function charactersOf(font: Buffer): (codePoint: number) => boolean {
  const groups = groupsOf(font)
  return (codePoint) => {
    let low = 0
    let high = groups.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const [first, last] = groups[middle] ?? [0, 0]
      if (codePoint < first) high = middle - 1
      else if (codePoint > last) low = middle + 1
      else return true
    }
    return false
  }
}

const format12 = 12

/** First and last character of each group, ascending. */
function groupsOf(font: Buffer): readonly (readonly [first: number, last: number])[] {
  const cmap = tableAt(font, 'cmap')
  const tables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4)
  })
  const table = tables.find((offset) => font.readUInt16BE(offset) === format12)
  if (table === undefined) throw new Error('the font has no character map of format 12')

  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const group = table + 16 + index * 12
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)]
  })
}

function tableAt(font: Buffer, tag: string): number {
  const count = font.readUInt16BE(4)
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + index * 16
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8)
  }
  throw new Error(`the font has no table ${tag}`)
}
