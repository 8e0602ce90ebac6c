/** Parts of an element that a merchant may style, with the states that they have. */
const selectorShape =
  /^\.(Input|Label|Error|TermsText|AccordionItem)(--(invalid|empty|complete))?(:(hover|focus|focus-visible|disabled|autofill))?(::(placeholder|selection))?$/

/** Properties that may be set: none that loads a resource, or hides or moves a field. */
const propertyShape =
  /^(-(moz|webkit)-(osx-)?font-smoothing|(font|line|letter|text|word)-[a-z-]+|font|color|caret-color|fill|opacity|(background|border|outline|padding|margin|box-shadow|border-radius|transition)(-(color|width|style|top|bottom|left|right|radius|offset))*|-webkit-text-fill-color)$/

/** Whether a merchant may style this: `.Input`, `.Input--invalid`, `.Input:focus`, `.Label` … */
export function isStylable(selector: string): boolean {
  return selectorShape.test(selector)
}

/** `:focus` and `::placeholder`, for elements that have a `style`. */
export function isStateSelector(selector: string): boolean {
  return /^:{1,2}[a-z-]+$/.test(selector)
}

/** `fontWeight` → `font-weight`; `undefined` for a property that the merchant may not set. */
export function cssProperty(name: string): string | undefined {
  const property = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return propertyShape.test(property) ? property : undefined
}

/** `colorPrimary` → `--colorPrimary` */
export function variableName(name: string): string | undefined {
  return /^[A-Za-z0-9]+$/.test(name) ? `--${name}` : undefined
}
