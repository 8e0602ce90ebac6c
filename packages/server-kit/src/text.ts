import { Problem } from './problem.ts'

/** Deeper than anything on the wire; deeper values are refused. */
const deepest = 32

/** PostgreSQL cannot store NUL, and a lone surrogate is not a character: both are refused before schema validation. */
export function refuseBrokenText(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') {
    if (!isWholeText(value)) throw invalid(path, 'broken_text', 'has characters that are not text')
    return
  }
  if (value === null || typeof value !== 'object') return
  if (depth === deepest) throw invalid(path, 'too_deep', `nests deeper than ${deepest}`)
  for (const [key, inner] of Object.entries(value)) {
    refuseBrokenText(key, path, depth + 1)
    refuseBrokenText(inner, `${path}.${key}`, depth + 1)
  }
}

function invalid(path: string, code: string, message: string): Problem {
  return new Problem('invalid', { errors: [{ path: path.slice(0, 200), code, message }] })
}

export function isWholeText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
