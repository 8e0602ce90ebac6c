/**
 * Sets styles of an element of the merchant's page, with priority over their style sheets. One property at a time,
 * because a style attribute or element would violate a strict Content-Security-Policy.
 */
export function setStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important')
}
