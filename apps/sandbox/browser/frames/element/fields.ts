import { networkOf } from '../../card/brand.rules.ts'
import { formatCode, judgeCode } from '../../card/code.rules.ts'
import { formatExpiry, judgeExpiry } from '../../card/expiry.rules.ts'
import { digitsOf, formatNumber, judgeNumber } from '../../card/number.rules.ts'
import { formatPostalCode, judgePostalCode } from '../../card/postal-code.rules.ts'
import type { Standing } from '../../wire/messages.ts'
import { Field } from './field.ts'

type Brand = Standing['brand']

export function numberField(): Field {
  return new Field({
    name: 'cardnumber',
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    format: formatNumber,
    judge: judgeNumber,
    isFull: (text) => digitsOf(text).length === networkOf(digitsOf(text)).lengths.at(-1),
  })
}

export function expiryField(): Field {
  return new Field({
    name: 'exp-date',
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    format: formatExpiry,
    judge: (text) => judgeExpiry(text, new Date()),
    isFull: (text) => judgeExpiry(text, new Date()).state === 'complete',
  })
}

/** @param brand of the current number */
export function codeField(brand: () => Brand): Field {
  return new Field({
    name: 'cvc',
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    format: (text) => formatCode(text, brand()),
    judge: (text) => judgeCode(text, brand()),
    isFull: (text) => brand() !== 'unknown' && judgeCode(text, brand()).state === 'complete',
  })
}

/** @param country the chosen one; empty if the element has no country field */
export function postalCodeField(country: () => string): Field {
  return new Field({
    name: 'postal',
    autocomplete: 'postal-code',
    inputMode: 'text',
    format: (text) => formatPostalCode(text, country()),
    judge: (text) => judgePostalCode(text, country()),
    isFull: () => false,
  })
}
