/** A new element with its class and what is in it. */
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

/** A small picture that says nothing which is not also said in words. */
export function picture(kind: 'brand' | 'code'): HTMLSpanElement {
  const element = make('span', `Picture Picture--${kind}`)
  element.setAttribute('aria-hidden', 'true')
  return element
}
