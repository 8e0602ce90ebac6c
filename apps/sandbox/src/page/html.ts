import { escapeHtml } from '@atrium/server-kit/html.ts'

/** Safe markup, created by `html`, which escapes every value that is not markup itself. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[]

/** Markup from a template. Values are escaped; lists are joined; `false`, `null` and `undefined` render nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((markup, part, place) => markup + markupOf(values[place - 1]) + part))
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (isList(value)) return value.map(markupOf).join('')
  return ''
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}
