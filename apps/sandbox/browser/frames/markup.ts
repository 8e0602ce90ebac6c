/** Creates an element with a class and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  element.append(...content)
  return element
}

/** A decorative icon. */
export function picture(kind: 'brand' | 'code'): HTMLSpanElement {
  const element = make('span', `Picture Picture--${kind}`)
  element.setAttribute('aria-hidden', 'true')
  return element
}
