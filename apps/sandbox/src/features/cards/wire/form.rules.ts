/** A raw parameter: text, or named nested ones. The items of a list are named 0, 1, 2 … */
export type Given = string | GivenObject

export interface GivenObject {
  [name: string]: Given
}

/** Deeper than any parameter of the provider. */
const deepest = 12

/** More than any real request has. */
const mostParameters = 1000

/**
 * Form-encoded parameters with names such as `card[number]`, `expand[]` and `items[0][id]`, as nested objects without a
 * prototype. A later value replaces an earlier one of the same name.
 * @returns `undefined` for an invalid form: too deep, too many parameters, or a name that is both text and object
 */
export function decodeForm(form: string): GivenObject | undefined {
  const pairs = [...new URLSearchParams(form)]
  if (pairs.length > mostParameters) return undefined

  const root = emptyObject()
  for (const [name, value] of pairs) {
    const path = pathOf(name)
    if (path === undefined || path.length > deepest || !place(root, path, value)) return undefined
  }
  return root
}

/** Whether every name is an index. */
export function isList(given: GivenObject): boolean {
  return Object.keys(given).every((name) => /^\d{1,4}$/.test(name))
}

/** `a[b][]` → `a`, `b`, and an empty name that appends to a list. */
function pathOf(name: string): string[] | undefined {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (first === undefined) return undefined
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)]
}

function place(root: GivenObject, path: readonly string[], value: string): boolean {
  let at = root
  for (const step of path.slice(0, -1)) {
    const name = nameIn(at, step)
    const inner = at[name] ?? emptyObject()
    if (typeof inner === 'string') return false
    at[name] = inner
    at = inner
  }
  const last = nameIn(at, path.at(-1) ?? '')
  if (typeof at[last] === 'object') return false
  at[last] = value
  return true
}

function nameIn(object: GivenObject, step: string): string {
  return step === '' ? String(Object.keys(object).length) : step
}

/** No prototype, because a parameter may be named `constructor`. */
function emptyObject(): GivenObject {
  return Object.create(null)
}
