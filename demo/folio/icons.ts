/** The marks of the product lines: a glyph on a colored tile, as the catalog carries them. */
const marks: Readonly<Record<string, { color: string; glyph: string }>> = {
  'pdf-editor': { color: '#c2413b', glyph: 'M22 16h14l8 8v24H22zM36 16v8h8M28 34h12M28 41h8' },
  'pdf-editor-mac': { color: '#8a3ea8', glyph: 'M22 16h14l8 8v24H22zM36 16v8h8M28 40l8-8 4 4-8 8h-4z' },
  'pdf-editor-plus': { color: '#3b51c4', glyph: 'M20 16h14l8 8v24H20zM34 16v8h8M31 31v10M26 36h10' },
  'pdf-editor-msp': { color: '#1f6f78', glyph: 'M32 16l14 7-14 7-14-7zM18 32l14 7 14-7M18 41l14 7 14-7' },
  cloud: { color: '#1c7ab8', glyph: 'M23 42a7 7 0 0 1 0-14 10 10 0 0 1 19-1 8 8 0 0 1-1 15z' },
  esign: { color: '#b3571b', glyph: 'M18 44c6-14 12-22 16-22 5 0-6 18-1 18 4 0 5-8 8-8 2 0 0 8 5 8M18 49h28' },
  'smart-redact': { color: '#34373d', glyph: 'M20 22h24M20 30h6M32 30h12M20 38h14M40 38h4M20 46h10M27 30h4M35 38h4' },
  'ai-assistant': { color: '#6a4bd1', glyph: 'M32 16l4 11 11 5-11 4-4 11-4-11-11-4 11-5z' },
  'admin-console': { color: '#4a5568', glyph: 'M18 20h28v20H18zM26 48h12M32 40v8' },
  connectors: { color: '#2b7a4b', glyph: 'M28 36l8-8M25 31l-4 4a6 6 0 0 0 8 8l4-4M39 33l4-4a6 6 0 0 0-8-8l-4 4' },
}

/** The icon of a product line as a `data:` address; '' if it has none. */
export function iconOf(sku: string): string {
  const mark = marks[sku]
  if (!mark) return ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="${mark.color}"/><path d="${mark.glyph}" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
