import { textsOf } from '../../texts/texts.ts'
import { make, picture } from '../markup.ts'
import type { CardFields } from './card-fields.ts'
import type { Layout } from './layout.ts'

/**
 * The card element, with all fields in one row, and the split elements, with one field each. The merchant's page shows
 * faults; here they are only linked to their fields for screen readers.
 */
export function rowLayout(fields: CardFields): Layout {
  const brand = picture('brand')
  const root = make('div', 'Row', brand)
  for (const { input, error } of fields.all) {
    input.classList.add('InputElement')
    error.className = 'visually-hidden'
    root.append(make('div', `Row-field Row-field--${input.name}`, input, error))
  }

  return {
    root,
    isCollapsed: () => false,
    fold: () => undefined,
    configure({ type, locale, placeholder, hasIcon, isDisabled }) {
      const texts = textsOf(locale)
      const isAlone = type !== 'card'
      const own = isAlone ? placeholder : undefined
      fields.number?.label({
        label: texts.cardNumber,
        placeholder: own ?? (isAlone ? '1234 1234 1234 1234' : texts.cardNumber),
        isDisabled,
      })
      fields.expiry?.label({ label: texts.expiry, placeholder: own ?? texts.expiryPlaceholder, isDisabled })
      fields.code?.label({ label: texts.code, placeholder: own ?? texts.codePlaceholder, isDisabled })
      fields.postalCode?.label({ label: texts.postalCode, placeholder: texts.postalCode, isDisabled })
      brand.hidden = !hasIcon
    },
    show() {
      brand.dataset.brand = fields.brand
      for (const field of fields.all) field.show(fields.faultOf(field)?.message)
      const postal = fields.postalCode?.input.parentElement
      if (postal) postal.hidden = !fields.asksPostalCode
    },
  }
}
