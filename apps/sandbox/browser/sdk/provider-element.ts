import type { StripeElementsOptions, StripeError } from '@stripe/stripe-js'
import type { ElementType, FromElement, Standing, ToElement } from '../wire/messages.ts'
import { changeEvent, validationError } from './change-event.ts'
import { configurationOf, type ElementOptions } from './configuration.ts'
import { containerAt, showStanding } from './container.ts'
import type { Context } from './context.ts'
import { connectionError } from './controller.ts'
import { newEmitter } from './emitter.ts'
import { IntegrationError } from './integration-error.ts'
import { type MountedFrame, mountFrame } from './mounted-frame.ts'
import { newQuestions } from './questions.ts'

/** For an answer of a frame that listens. */
const timeoutMs = 5000

/** What an element uses of its group. */
export interface Surroundings {
  context: Context
  options: StripeElementsOptions
  /** The mounted elements of the group. */
  mounted(): ProviderElement[]
  /** The brand of the number has changed. */
  onBrand(brand: Standing['brand']): void
  onDestroyed(element: ProviderElement): void
}

type Answer = Pick<Extract<FromElement, { kind: 'answer' }>, 'fault'>

const atFirst: Standing & { isFocused: boolean } = {
  isEmpty: true,
  isComplete: false,
  isCollapsed: false,
  isAutofilled: false,
  isFocused: false,
  brand: 'unknown',
  postalCode: '',
}

/** An element of a group: its frame, and its events for the merchant's page. */
export class ProviderElement {
  readonly type: ElementType
  readonly events = newEmitter()
  options: ElementOptions
  #surroundings: Surroundings
  #questions = newQuestions<Answer>(timeoutMs)
  #mounted: MountedFrame | undefined
  #standing = atFirst
  #isDestroyed = false

  constructor(surroundings: Surroundings, type: ElementType, options: ElementOptions) {
    this.#surroundings = surroundings
    this.type = type
    this.options = options
  }

  get isMounted(): boolean {
    return this.#mounted !== undefined
  }

  /** The mounted elements that form a card with it, itself included. @throws IntegrationError if it is not mounted */
  cardParts(): ProviderElement[] {
    const parts = this.#surroundings.mounted()
    if (parts.includes(this)) return parts
    throw new IntegrationError(
      'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
    )
  }

  get channel(): string {
    return this.#mounted?.channel ?? ''
  }

  /** @throws IntegrationError for a missing container, or if the element was destroyed */
  mount(place: unknown): void {
    if (this.#isDestroyed) {
      throw new IntegrationError('This Element has already been destroyed. Please create a new one.')
    }
    const container = containerAt(place)
    if (this.#mounted?.container === container) return
    this.unmount()
    this.#mounted = mountFrame({
      container,
      configuration: this.#configuration(),
      onMessage: (message) => this.#hear(message),
      onReload: () => this.#startAgain(),
      onFailure: () => this.#fail(),
    })
    this.#show()
    void this.configure()
  }

  unmount(): void {
    const mounted = this.#mounted
    if (!mounted) return
    this.#mounted = undefined
    this.#questions.end()
    this.#standing = atFirst
    mounted.remove()
    showStanding(mounted.container, this.options.classes, undefined)
  }

  destroy(): void {
    this.unmount()
    this.#isDestroyed = true
    this.#surroundings.onDestroyed(this)
  }

  update(options: ElementOptions): void {
    this.options = { ...this.options, ...options }
    this.#show()
    void this.configure()
  }

  /** Resolves when the frame shows the current configuration. */
  async configure(): Promise<void> {
    if (!this.#mounted) return
    const configuration = this.#configuration()
    this.#mounted.entitle(configuration)
    await this.#ask((id) => ({ kind: 'configure', id, configuration }))
  }

  /** Shows the faults of the fields. @returns the first fault, or that the frame does not answer */
  async validate(): Promise<StripeError | undefined> {
    if (!this.#mounted) return undefined
    const answer = await this.#ask((id) => ({ kind: 'validate', id }))
    if (!answer) return connectionError(this.#configuration().locale)
    return answer.fault && validationError(answer.fault)
  }

  say(message: ToElement): void {
    void this.#mounted?.post(message)
  }

  focus(): void {
    this.#mounted?.focus()
  }

  blur(): void {
    this.#mounted?.blur()
  }

  #ask(question: (id: number) => ToElement): Promise<Answer | undefined> {
    return this.#questions.ask(async (id) => (await this.#mounted?.post(question(id))) ?? false)
  }

  #configuration() {
    const { context, options } = this.#surroundings
    return configurationOf({ type: this.type, element: this.options, group: options, locale: context.locale })
  }

  #hear(message: FromElement): void {
    const elementType = this.type
    if (message.kind === 'hello' && elementType === 'payment') this.events.emit('loaderstart', { elementType })
    if (message.kind === 'ready' || message.kind === 'escape') this.events.emit(message.kind, { elementType })
    if (message.kind === 'answer') this.#questions.answer(message.id, message)
    if (message.kind === 'height') this.#mounted?.resize(message.height)
    if (message.kind === 'submit') this.#mounted?.container.closest('form')?.requestSubmit()
    if (message.kind === 'focus' || message.kind === 'blur') this.#attend(message.kind)
    if (message.kind === 'change') this.#change(message.standing)
  }

  #attend(kind: 'focus' | 'blur'): void {
    this.#standing = { ...this.#standing, isFocused: kind === 'focus' }
    this.#show()
    this.events.emit(kind, { elementType: this.type })
  }

  #change(standing: Standing): void {
    const before = this.#standing
    this.#standing = { ...standing, isFocused: before.isFocused }
    this.#show()
    if (standing.brand !== before.brand) this.#surroundings.onBrand(standing.brand)
    this.events.emit('change', changeEvent(this.type, standing))
  }

  /** Its frame was reloaded, and has lost its configuration and values. */
  #startAgain(): void {
    this.#questions.end()
    if (this.#standing.isFocused) this.#attend('blur')
    void this.configure()
    this.#change({ ...atFirst, isCollapsed: this.#configuration().payment.isCollapsed })
  }

  #show(): void {
    if (this.#mounted) showStanding(this.#mounted.container, this.options.classes, this.#standing)
  }

  #fail(): void {
    const { locale } = this.#configuration()
    this.events.emit('loaderror', { elementType: this.type, error: connectionError(locale) })
  }
}
