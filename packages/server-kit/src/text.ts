import { Problem } from './problem.ts'

/** PostgreSQL cannot store NUL, and a lone surrogate is no character: both are refused before any schema sees them. */
export function refuseBrokenText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!isWholeText(value)) {
      throw new Problem('invalid', {
        errors: [{ path, code: 'broken_text', message: 'has characters that are no text' }],
      })
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    refuseBrokenText(key, path)
    refuseBrokenText(inner, `${path}.${key}`)
  }
}

export function isWholeText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
