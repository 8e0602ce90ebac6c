import { networkOf } from '../../card/brand.rules.ts'
import { readExpiry } from '../../card/expiry.rules.ts'
import { digitsOf } from '../../card/number.rules.ts'
import { needsPostalCode } from '../../card/postal-code.rules.ts'
import { textsOf } from '../../texts/texts.ts'
import type { Collected, Configuration, FaultMessage, Standing } from '../../wire/messages.ts'
import { CountryField } from './country-field.ts'
import type { Field } from './field.ts'
import { codeField, expiryField, numberField, postalCodeField } from './fields.ts'

type Brand = Standing['brand']

/** The fields of one element, their state and their values. */
export class CardFields {
  readonly number: Field | undefined
  readonly expiry: Field | undefined
  readonly code: Field | undefined
  readonly postalCode: Field | undefined
  readonly country: CountryField | undefined
  /** Called after every change. */
  onChange: () => void = () => undefined
  /** The brand of a number in another frame. */
  #brandElsewhere: Brand = 'unknown'
  #configuration: Configuration

  constructor(configuration: Configuration) {
    this.#configuration = configuration
    const { type } = configuration
    const isWhole = type === 'payment' || type === 'card'
    if (isWhole || type === 'cardNumber') this.number = numberField()
    if (isWhole || type === 'cardExpiry') this.expiry = expiryField()
    if (isWhole || type === 'cardCvc') this.code = codeField(() => this.brand)
    if (isWhole) this.postalCode = postalCodeField(() => this.country?.code ?? '')
    if (type === 'payment') this.country = new CountryField()
    this.#connect()
  }

  /** In the order in which they are filled in. */
  get all(): Field[] {
    return [this.number, this.expiry, this.code, this.postalCode].filter((field) => field !== undefined)
  }

  /** The fields that are shown now. */
  get shown(): Field[] {
    return this.all.filter((field) => field !== this.postalCode || this.asksPostalCode)
  }

  get asksCountry(): boolean {
    return this.country !== undefined && this.#configuration.payment.country !== 'never'
  }

  get asksPostalCode(): boolean {
    if (this.postalCode === undefined || this.#configuration.payment.postalCode === 'never') return false
    return this.country === undefined || needsPostalCode(this.country.code)
  }

  get brand(): Brand {
    return this.number ? networkOf(digitsOf(this.number.text)).brand : this.#brandElsewhere
  }

  set brandElsewhere(brand: Brand) {
    this.#brandElsewhere = brand
    this.onChange()
  }

  configure(configuration: Configuration): void {
    const { country, postalCode } = configuration.known
    const isFirst = configuration === this.#configuration || this.all.every((field) => field.text === '')
    this.#configuration = configuration
    if (isFirst && country !== undefined) this.country?.fill(country)
    if (isFirst && postalCode !== undefined) this.postalCode?.fill(postalCode)
  }

  /** The fault of a field to show to the customer, in their language. */
  faultOf(field: Field): FaultMessage | undefined {
    const code = field.fault
    return code && { code, message: textsOf(this.#configuration.locale)[code] }
  }

  standing(isCollapsed: boolean): Standing {
    const { shown } = this
    const fault = shown.map((field) => this.faultOf(field)).find((found) => found !== undefined)
    return {
      isEmpty: shown.every((field) => field.verdict.state === 'empty'),
      isComplete: shown.every((field) => field.verdict.state === 'complete'),
      isCollapsed,
      isAutofilled: shown.some(({ input }) => input.matches(':autofill')),
      ...(fault && { fault }),
      brand: this.brand,
      postalCode: this.postalCode?.text ?? '',
    }
  }

  /** Shows every fault from now on. @returns the first fault, with its field */
  validate(): { field: Field; fault: FaultMessage } | undefined {
    for (const field of this.shown) field.ask()
    this.onChange()
    return this.shown
      .map((field) => ({ field, fault: this.faultOf(field) }))
      .find((found): found is { field: Field; fault: FaultMessage } => found.fault !== undefined)
  }

  /** The values, for the provider's own frames only. */
  collect(): Collected {
    const expiry = this.expiry && readExpiry(this.expiry.text)
    const postalCode = this.asksPostalCode ? this.postalCode?.text.trim() : undefined
    return {
      card: {
        ...(this.number && { number: digitsOf(this.number.text) }),
        ...(expiry && { exp_month: expiry.month, exp_year: expiry.year }),
        ...(this.code && { cvc: this.code.text }),
      },
      address: {
        ...(this.asksCountry && this.country && { country: this.country.code }),
        ...(postalCode && { postal_code: postalCode }),
      },
    }
  }

  #connect(): void {
    for (const field of this.all) {
      field.onChange = () => this.onChange()
      field.onFull = () => this.#neighbor(field, 1)?.input.focus()
      field.onEmptied = () => this.#neighbor(field, -1)?.input.focus()
    }
    if (this.country) this.country.onChange = () => this.onChange()
  }

  #neighbor(field: Field, step: 1 | -1): Field | undefined {
    const { shown } = this
    return shown[shown.indexOf(field) + step]
  }
}
