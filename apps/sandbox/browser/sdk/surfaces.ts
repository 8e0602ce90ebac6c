import type { StripeElements, StripeElementsUpdateOptions } from '@stripe/stripe-js'
import type { ElementOptions } from './configuration.ts'
import { newEmitter } from './emitter.ts'
import type { Group } from './group.ts'
import { IntegrationError } from './integration-error.ts'
import type { ProviderElement } from './provider-element.ts'

/** The internal objects behind the merchant's objects, not accessible through them. */
const groups = new WeakMap<object, Group>()
const elements = new WeakMap<object, ProviderElement>()

/** @throws IntegrationError for what `stripe.elements()` did not answer */
export function groupOf(given: unknown): Group {
  const group = isObject(given) ? groups.get(given) : undefined
  if (group) return group
  throw new IntegrationError('Invalid value for elements: it should be an Elements object, made by stripe.elements().')
}

/** What `elements.create()` answered, from behind. */
export function elementOf(given: unknown): ProviderElement | undefined {
  return isObject(given) ? elements.get(given) : undefined
}

/** What `stripe.elements()` answers. */
export function groupSurface(group: Group) {
  const events = newEmitter()
  const made = new WeakMap<ProviderElement, object>()
  const surface = {
    create(type: unknown, options: ElementOptions = {}) {
      const element = group.create(type, options)
      const created = elementSurface(element)
      made.set(element, created)
      return created
    },
    getElement(wanted: unknown) {
      const element = group.element(typeOf(wanted))
      return (element && made.get(element)) ?? null
    },
    async update(options: StripeElementsUpdateOptions) {
      await group.update(options)
      events.emit('update-end', {})
    },
    /** For intents that were changed meanwhile. Does nothing, since no intent data is shown. */
    fetchUpdates: async () => ({}),
    async submit() {
      const error = await group.validate()
      group.isSubmitted = error === undefined
      return error ? { error } : { selectedPaymentMethod: 'card' }
    },
    on: events.on,
    off: events.off,
  }
  surface satisfies Pick<StripeElements, 'update' | 'submit' | 'fetchUpdates' | 'on'>
  groups.set(surface, group)
  return surface
}

function elementSurface(element: ProviderElement) {
  const surface = {
    on(...given: Parameters<typeof element.events.on>) {
      element.events.on(...given)
      return surface
    },
    once(...[name, handler]: Parameters<typeof element.events.on>) {
      element.events.on(name, handler, true)
      return surface
    },
    off(...given: Parameters<typeof element.events.off>) {
      element.events.off(...given)
      return surface
    },
    update(options: ElementOptions) {
      element.update(options)
      return surface
    },
    collapse() {
      element.say({ kind: 'collapse' })
      return surface
    },
    mount: (place: unknown) => element.mount(place),
    unmount: () => element.unmount(),
    destroy: () => element.destroy(),
    focus: () => element.focus(),
    blur: () => element.blur(),
    clear: () => element.say({ kind: 'clear' }),
  }
  elements.set(surface, element)
  return surface
}

/** An element type by its name, or by its React component. */
function typeOf(wanted: unknown): unknown {
  const isComponent = typeof wanted === 'function' || isObject(wanted)
  return isComponent && '__elementType' in wanted ? wanted.__elementType : wanted
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
