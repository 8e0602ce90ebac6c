import { languageOf } from '../../texts/texts.ts'
import { type Configuration, type FromElement, ToElement } from '../../wire/messages.ts'
import { listenToParent, type Parent } from '../parent.ts'
import { answerSiblings } from '../siblings.ts'
import { applyAppearance } from './appearance.ts'
import { CardFields } from './card-fields.ts'
import type { Layout } from './layout.ts'
import { paymentLayout } from './payment-layout.ts'
import { rowLayout } from './row-layout.ts'

/** The content of this frame, once it has been configured. */
interface Form {
  fields: CardFields
  layout: Layout
}

/** The frame of an element: the fields of a card, or one of them. */
export function startElement(): void {
  let form: Form | undefined
  const parent = listenToParent<ToElement, FromElement>(ToElement, (message) => {
    if (message.kind === 'configure') {
      form ??= newForm(message.configuration, parent)
      configure(form, message.configuration)
      parent.say({ kind: 'answer', id: message.id })
    } else if (form) {
      obey(form, message, parent)
    }
  })
  answerSiblings(() => form?.fields.collect() ?? { card: {}, address: {} })
  parent.say({ kind: 'hello' })
}

function newForm(configuration: Configuration, parent: Parent<FromElement>): Form {
  const fields = new CardFields(configuration)
  const layout = configuration.type === 'payment' ? paymentLayout(fields) : rowLayout(fields)
  document.documentElement.dataset.type = configuration.type
  document.body.replaceChildren(layout.root)

  let isReady = false
  fields.onChange = () => {
    layout.show()
    if (isReady) parent.say({ kind: 'change', standing: fields.standing(layout.isCollapsed()) })
  }
  tellOfFocus(parent)
  const measure = () => parent.say({ kind: 'height', height: document.body.getBoundingClientRect().height })
  new ResizeObserver(measure).observe(document.body)
  // Not in an animation frame: a hidden page has none.
  setTimeout(() => {
    isReady = true
    measure()
    parent.say({ kind: 'ready' })
  })
  return { fields, layout }
}

function configure({ fields, layout }: Form, configuration: Configuration): void {
  document.documentElement.lang = languageOf(configuration.locale)
  applyAppearance(configuration)
  layout.configure(configuration)
  fields.configure(configuration)
  layout.show()
}

function obey({ fields, layout }: Form, message: ToElement, parent: Parent<FromElement>): void {
  if (message.kind === 'validate') {
    layout.fold(false)
    const found = fields.validate()
    if (found && fields.all.length > 1) found.field.input.focus()
    parent.say({ kind: 'answer', id: message.id, ...(found && { fault: found.fault }) })
  }
  if (message.kind === 'brand') fields.brandElsewhere = message.brand
  if (message.kind === 'focus') fields.shown[0]?.input.focus()
  if (message.kind === 'blur' && document.activeElement instanceof HTMLElement) document.activeElement.blur()
  if (message.kind === 'clear') for (const field of fields.all) field.clear()
  if (message.kind === 'collapse') layout.fold(true)
}

/** Moving between fields does not blur the element. */
function tellOfFocus(parent: Parent<FromElement>): void {
  document.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget === null) parent.say({ kind: 'focus' })
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget === null) parent.say({ kind: 'blur' })
  })
  document.addEventListener('keydown', ({ key, target, isComposing }) => {
    if (isComposing) return
    if (key === 'Escape') parent.say({ kind: 'escape' })
    if (key === 'Enter' && target instanceof HTMLInputElement) parent.say({ kind: 'submit' })
  })
}
