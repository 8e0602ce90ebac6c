/**
 * The text of one member of a JSON object, as it was written: a checksum of it must not depend on how it is parsed.
 * @param json a valid object
 */
export function rawMember(json: string, name: string): string | undefined {
  let place = json.indexOf('{') + 1
  while (place > 0 && place < json.length) {
    const keyStart = json.indexOf('"', place)
    if (keyStart === -1) return undefined
    const keyEnd = endOfString(json, keyStart)
    const valueStart = json.indexOf(':', keyEnd) + 1
    const valueEnd = endOfValue(json, valueStart)
    if (JSON.parse(json.slice(keyStart, keyEnd)) === name) return json.slice(valueStart, valueEnd).trim()
    place = valueEnd + 1
  }
  return undefined
}

/** @param start of the opening quote @returns after the closing one */
function endOfString(json: string, start: number): number {
  let place = start + 1
  while (place < json.length && json[place] !== '"') place += json[place] === '\\' ? 2 : 1
  return place + 1
}

/** @returns the place of the comma or brace after the value */
function endOfValue(json: string, start: number): number {
  let depth = 0
  let place = start
  while (place < json.length) {
    const sign = json[place]
    if (depth === 0 && (sign === ',' || sign === '}')) return place
    if (sign === '"') {
      place = endOfString(json, place)
      continue
    }
    if (sign === '{' || sign === '[') depth += 1
    if (sign === '}' || sign === ']') depth -= 1
    place += 1
  }
  return place
}
