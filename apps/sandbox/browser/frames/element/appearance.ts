import type { Configuration } from '../../wire/messages.ts'
import { cssProperty, isStateSelector, isStylable, variableName } from './appearance.rules.ts'

/** The style sheet with the merchant's rules. They are set property by property: no text of theirs is parsed as a sheet. */
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

/** Applies the merchant's appearance and styles to this frame. */
export function applyAppearance({ appearance, style }: Configuration): void {
  document.documentElement.dataset.theme = appearance.theme
  sheet.replaceSync('')
  const root = newRule(':root')
  for (const [name, value] of Object.entries(appearance.variables)) {
    const property = variableName(name)
    if (property) root?.style.setProperty(property, value)
  }
  for (const [selector, properties] of Object.entries(appearance.rules)) {
    if (isStylable(selector)) setAll(newRule(selector), properties)
  }
  for (const variant of ['base', 'empty', 'complete', 'invalid']) applyVariant(variant, style[variant] ?? {})
}

/** `base` and similar styles of elements other than the payment element; pseudo-classes are one level deeper. */
function applyVariant(variant: string, given: Configuration['style'][string]): void {
  const selector = variant === 'base' ? '.InputElement' : `.InputElement.Input--${variant}`
  setAll(newRule(selector), given)
  const { iconColor } = given
  if (typeof iconColor === 'string') newRule('.Picture')?.style.setProperty('color', iconColor)
  for (const [pseudo, properties] of Object.entries(given)) {
    if (typeof properties !== 'object') continue
    if (isStateSelector(pseudo)) setAll(newRule(selector + pseudo), properties)
  }
}

function newRule(selector: string): CSSStyleRule | undefined {
  try {
    const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)]
    return rule instanceof CSSStyleRule ? rule : undefined
  } catch {
    // A pseudo-element that this browser does not know.
    return undefined
  }
}

function setAll(rule: CSSStyleRule | undefined, properties: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(properties)) {
    const property = cssProperty(name)
    if (property && typeof value !== 'object') rule?.style.setProperty(property, String(value))
  }
}
