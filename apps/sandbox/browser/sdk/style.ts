/**
 * Sets styles of an element of the merchant's page, past any sheet of theirs. Only ever one by one: a style attribute or
 * a style element would break a strict Content-Security-Policy.
 */
export function setStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important')
}
