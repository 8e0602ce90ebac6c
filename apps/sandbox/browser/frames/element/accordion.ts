import type { Configuration } from '../../wire/messages.ts'
import { make, picture } from '../markup.ts'

/** The only payment method as a collapsible item if the merchant wants an accordion; otherwise just its body. */
export function accordionOf(body: HTMLElement, onChange: () => void) {
  const radio = make('span', 'AccordionItem-radio')
  const name = make('span', 'AccordionItem-label')
  const button = make('button', 'AccordionItem-button', radio, picture('brand'), name)
  button.type = 'button'
  body.id = 'card'
  button.setAttribute('aria-controls', body.id)
  const root = make('div', 'AccordionItem', button, body)
  let isFirst = true

  const fold = (isFolded: boolean) => {
    body.hidden = isFolded
    button.setAttribute('aria-expanded', String(!isFolded))
    onChange()
  }
  button.addEventListener('click', () => fold(!body.hidden))

  return {
    root,
    fold(isFolded: boolean) {
      if (!button.hidden) fold(isFolded)
    },
    configure(label: string, { layout, isCollapsed, hasRadio }: Configuration['payment']) {
      name.textContent = label
      radio.hidden = !hasRadio
      button.hidden = layout === 'plain'
      root.classList.toggle('AccordionItem--framed', layout === 'accordion')
      if (isFirst) fold(layout === 'accordion' && isCollapsed)
      isFirst = false
    },
  }
}
