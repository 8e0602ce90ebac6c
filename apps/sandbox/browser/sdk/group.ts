import type { StripeElementsOptions, StripeElementsUpdateOptions, StripeError } from '@stripe/stripe-js'
import { type ElementType, elementTypes, type Standing } from '../wire/messages.ts'
import type { ElementOptions } from './configuration.ts'
import type { Context } from './context.ts'
import { IntegrationError } from './integration-error.ts'
import { ProviderElement, type Surroundings } from './provider-element.ts'

/** The elements of one form. */
export class Group implements Surroundings {
  readonly context: Context
  options: StripeElementsOptions
  /** `elements.submit()` found nothing wrong. */
  isSubmitted = false
  #elements = new Map<ElementType, ProviderElement>()

  /** @throws IntegrationError for options that contradict each other */
  constructor(context: Context, options: StripeElementsOptions) {
    refuseContradiction(options)
    this.context = context
    this.options = options
  }

  /** @throws IntegrationError for an unknown type, or one that cannot be combined with the existing ones */
  create(type: unknown, options: ElementOptions): ProviderElement {
    const wanted = elementTypes.find((one) => one === type)
    if (!wanted) {
      throw new IntegrationError(
        `A valid Element name must be provided. Valid Elements are:\n  ${elementTypes.join(', ')}; you passed: ${String(type)}.`,
      )
    }
    this.#refuseBeside(wanted)
    if (wanted === 'payment' && this.options.mode === undefined && this.options.clientSecret === undefined) {
      throw new IntegrationError(
        'In order to create a payment element, you must pass a clientSecret or mode when creating the Elements group.',
      )
    }
    const element = new ProviderElement(this, wanted, options)
    this.#elements.set(wanted, element)
    return element
  }

  element(type: unknown): ProviderElement | undefined {
    return [...this.#elements.values()].find((element) => element.type === type)
  }

  /** The mounted elements, in the order in which card data is read. */
  mounted(): ProviderElement[] {
    return elementTypes.flatMap((type) => this.#elements.get(type) ?? []).filter(({ isMounted }) => isMounted)
  }

  /** Resolves when all elements show it. */
  async update({ appearance, locale, ...rest }: StripeElementsUpdateOptions): Promise<void> {
    const merged = { ...this.options, ...(appearance && { appearance }), ...(locale && { locale }) }
    this.options = Object.assign(merged, rest)
    await Promise.all([...this.#elements.values()].map((element) => element.configure()))
  }

  /** Shows the faults of all fields. @returns the first fault, or that the frames do not answer */
  async validate(): Promise<StripeError | undefined> {
    const errors = await Promise.all(this.mounted().map((element) => element.validate()))
    return errors.find((error) => error !== undefined)
  }

  onBrand(brand: Standing['brand']): void {
    this.#elements.get('cardCvc')?.say({ kind: 'brand', brand })
  }

  onDestroyed(element: ProviderElement): void {
    if (this.#elements.get(element.type) === element) this.#elements.delete(element.type)
  }

  #refuseBeside(type: ElementType): void {
    if (this.#elements.has(type)) throw new IntegrationError(`Can only create one Element of type ${type}.`)
    const isWhole = type === 'payment' || type === 'card'
    const other = [...this.#elements.keys()].find((present) => isWhole || present === 'payment' || present === 'card')
    if (other) {
      throw new IntegrationError(
        `Cannot create an Element of type ${type} after an Element of type ${other} has already been created.`,
      )
    }
  }
}

function refuseContradiction({ mode, clientSecret, ...options }: StripeElementsOptions): void {
  if (mode !== undefined && clientSecret !== undefined) {
    throw new IntegrationError('stripe.elements(): you cannot pass both `mode` and `clientSecret`.')
  }
  if (mode !== undefined && !['payment', 'setup', 'subscription'].includes(mode)) {
    throw new IntegrationError(
      `Invalid value for elements(): mode should be one of the following strings: payment, setup, subscription. You specified: ${mode}.`,
    )
  }
  const isCharged = mode === 'payment' || mode === 'subscription'
  if (isCharged && (!('amount' in options) || !Number.isInteger(options.amount))) {
    throw new IntegrationError(`Invalid value for elements(): amount should be an integer when mode is ${mode}.`)
  }
  if (isCharged && options.currency === undefined) {
    throw new IntegrationError(`Missing value for elements(): currency should be a string when mode is ${mode}.`)
  }
}
