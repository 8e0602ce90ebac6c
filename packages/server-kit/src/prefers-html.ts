/** Whether the caller prefers a page: HTML is listed, with at least the weight of JSON (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map(readType)
  const html = heaviest(types.filter(({ name }) => name === 'text/html'))
  const json = heaviest(types.filter(({ name }) => name.endsWith('json')))
  return html > 0 && html >= json
}

interface MediaType {
  name: string
  /** 0 to 1. */
  weight: number
}

function readType(text: string): MediaType {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { name, weight: weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0 }
}

function heaviest(types: readonly MediaType[]): number {
  return Math.max(0, ...types.map(({ weight }) => weight))
}
