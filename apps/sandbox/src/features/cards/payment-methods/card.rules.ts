import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { BehaviorName } from '../test-cards/behavior.rules.ts'
import { numberOfToken, testCard } from '../test-cards/test-cards.rules.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'
import { isLuhn } from './luhn.rules.ts'

export interface GivenCard {
  number?: string | undefined
  exp_month?: number | undefined
  exp_year?: number | undefined
  cvc?: string | undefined
  token?: string | undefined
}

interface ReadCard {
  card: Stripe.PaymentMethod.Card
  behavior: BehaviorName
  isCvcGiven: boolean
}

/**
 * What is stored of a card: everything but its number and security code.
 * @throws Refusal 402 for an invalid number, expiry or code, and for any number that is not a test card's
 */
export function readCard(given: GivenCard, now: Date): ReadCard {
  const { number, month, year, cvc } = fieldsOf(given, now)
  if (!isLuhn(number)) throw cardError('incorrect_number', 'Your card number is incorrect.', 'number')
  const known = testCard(number)
  if (!known) throw realCard()
  refuseExpired({ month, year }, now)
  if (cvc !== undefined && !(known.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  const { brand, funding, country, behavior } = known
  return {
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: cvc === undefined ? null : 'unchecked',
      },
      country,
      display_brand: networkNames[brand] ?? brand,
      exp_month: month,
      exp_year: year,
      fingerprint: fingerprintOf(number),
      funding,
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: behavior !== 'cannotBeAsked' },
      wallet: null,
    },
    behavior,
    isCvcGiven: cvc !== undefined,
  }
}

/** Display names that differ from the code. */
const networkNames: Readonly<Record<string, string>> = { amex: 'american_express', diners: 'diners_club' }

function fieldsOf({ token, ...given }: GivenCard, now: Date) {
  if (token !== undefined) {
    const number = numberOfToken(token)
    if (number === undefined) {
      throw invalidRequest(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' })
    }
    return { number, month: now.getUTCMonth() + 1, year: now.getUTCFullYear() + 1, cvc: undefined }
  }
  const missing = (['number', 'exp_month', 'exp_year'] as const).find((name) => given[name] === undefined)
  if (missing) {
    const param = `card[${missing}]`
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  const number = (given.number ?? '').replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number)) {
    throw cardError('invalid_number', 'The card number is not a valid credit card number.', 'number')
  }
  const year = given.exp_year ?? 0
  return { number, month: given.exp_month ?? 0, year: year < 100 ? 2000 + year : year, cvc: given.cvc }
}

interface Expiry {
  month: number
  year: number
}

/** A card is valid until the last day of its month. */
export function refuseExpired({ month, year }: Expiry, now: Date): void {
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  const thisYear = now.getUTCFullYear()
  if (year < thisYear || year > thisYear + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  }
  if (isExpired({ month, year }, now)) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
}

export function isExpired({ month, year }: Expiry, now: Date): boolean {
  return now >= new Date(Date.UTC(year, month, 1))
}

/** Equal for equal numbers, and not reversible in practice: only test numbers get here. */
function fingerprintOf(number: string): string {
  const digest = createHmac('sha256', 'sandbox card fingerprint').update(number).digest('base64')
  return digest.replaceAll(/[^0-9A-Za-z]/g, '').slice(0, 16)
}

function cardError(code: string, message: string, param: string): Refusal {
  return new Refusal(402, { type: 'card_error', code, message, param })
}

/** Refuses real cards, which might be entered by mistake. */
function realCard(): Refusal {
  return new Refusal(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    param: 'number',
  })
}
