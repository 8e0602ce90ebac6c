import type { Texts } from '../../texts/en.ts'
import { languageOf, textsOf } from '../../texts/texts.ts'
import type { Configuration } from '../../wire/messages.ts'
import { make, picture } from '../markup.ts'
import { accordionOf } from './accordion.ts'
import type { CardFields } from './card-fields.ts'
import type { Field } from './field.ts'
import type { Layout } from './layout.ts'

/** The business name, unless the merchant sets another one. */
const ownBusiness = document.documentElement.dataset.business ?? ''

/** The payment element: labels above fields, faults below them, and the terms. */
export function paymentLayout(fields: CardFields): Layout {
  const blocks = blocksOf(fields)
  const country = countryBlock(fields)
  const brand = picture('brand')
  fields.number?.input.after(brand)
  fields.code?.input.after(picture('code'))

  const terms = make('p', 'TermsText')
  const body = make('div', 'PaymentForm', ...blocks.map(({ root }) => root), terms)
  fields.postalCode?.input.closest('.Block')?.before(country.root)
  const accordion = accordionOf(body, () => fields.onChange())

  return {
    root: accordion.root,
    isCollapsed: () => body.hidden === true,
    fold: accordion.fold,
    configure(configuration) {
      const { locale, payment, isSaved, isDisabled } = configuration
      const texts = textsOf(locale)
      for (const block of blocks) block.configure(configuration)
      country.label.textContent = texts.country
      fields.country?.label({ language: languageOf(locale), isDisabled })
      terms.hidden = !isSaved || !payment.hasTerms
      terms.textContent = texts.terms.replace('{business}', payment.business ?? ownBusiness)
      accordion.configure(texts.card, payment)
    },
    show() {
      brand.dataset.brand = fields.brand
      for (const block of blocks) block.show()
      country.root.hidden = !fields.asksCountry
    },
  }
}

/** Each field with its label and its fault, in input order. */
function blocksOf(fields: CardFields) {
  const isAmerican = () => fields.country?.code === 'US'
  return [
    blockOf(fields, fields.number, (texts) => [texts.cardNumber, '1234 1234 1234 1234']),
    blockOf(fields, fields.expiry, (texts) => [texts.expiry, texts.expiryPlaceholder]),
    blockOf(fields, fields.code, (texts) => [texts.code, texts.codePlaceholder]),
    blockOf(fields, fields.postalCode, (texts) => [isAmerican() ? texts.zip : texts.postalCode, '']),
  ].flat()
}

/** @param say updates its label and placeholder, which may depend on another field */
function blockOf(fields: CardFields, field: Field | undefined, say: (texts: Texts) => [string, string]) {
  if (!field) return []
  const { input, error } = field
  input.classList.add('Input')
  error.className = 'Error'
  // Announced by screen readers as soon as it appears.
  error.setAttribute('role', 'alert')
  const label = labelFor(input)
  const root = make('div', `Block Block--${input.name}`, label, make('div', 'Slot', input), error)
  let texts = textsOf('')

  return [
    {
      root,
      configure({ locale, isDisabled }: Configuration) {
        texts = textsOf(locale)
        field.label({ placeholder: say(texts)[1], isDisabled })
      },
      show() {
        label.textContent = say(texts)[0]
        field.show(fields.faultOf(field)?.message)
        root.hidden = !fields.shown.includes(field)
      },
    },
  ]
}

function countryBlock({ country }: CardFields) {
  const select = country?.select ?? make('select', '')
  select.className = 'Input Input--select'
  const label = labelFor(select)
  return { root: make('div', 'Block', label, select), label }
}

function labelFor({ id }: HTMLElement): HTMLLabelElement {
  const label = make('label', 'Label')
  label.htmlFor = id
  return label
}
