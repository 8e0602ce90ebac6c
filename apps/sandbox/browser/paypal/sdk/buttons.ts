import type { FromButton } from '../wire/messages.ts'
import { newCheckout } from './checkout.ts'
import { type ButtonFrame, newButtonFrame } from './frame.ts'
import { type ButtonsOptions, configurationOf, refuseContradiction } from './options.ts'

/** `paypal.Buttons(options)`: a button that opens the approval page in a popup. */
export function newButtons(options: ButtonsOptions = {}) {
  let frame: ButtonFrame | undefined
  let isDisabled = false
  const checkout = newCheckout(options, (message) => frame?.post(message))
  const configure = () => frame?.post({ kind: 'configure', configuration: { ...configurationOf(options), isDisabled } })
  const setDisabled = async (wanted: boolean) => {
    isDisabled = wanted
    configure()
  }

  const hear = (message: FromButton) => {
    if (message.kind === 'hello') configure()
    if (message.kind === 'click') void checkout.begin(message.isBlocked)
    if (message.kind === 'answered') void checkout.finish(message.answer)
    if (message.kind === 'closed') checkout.cancel()
  }

  return {
    /** Other funding sources than PayPal's own are not offered. */
    isEligible: () => options.fundingSource === undefined || options.fundingSource === 'paypal',
    /** Resolves when the button can be used. @param place element, or selector of one */
    async render(place: unknown): Promise<void> {
      refuseContradiction(options)
      const container = containerAt(place)
      const { height, hasMaxWidth } = configurationOf(options)
      frame?.close()
      frame = newButtonFrame({ height, hasMaxWidth, onMessage: hear })
      container.replaceChildren(frame.element)
      await frame.ready
      options.onInit?.({}, { enable: () => setDisabled(false), disable: () => setDisabled(true) })
    },
    async close(): Promise<void> {
      frame?.close()
      frame = undefined
    },
    /** Further options; handlers that are given replace the old ones. */
    async updateProps(changed: ButtonsOptions): Promise<void> {
      Object.assign(options, Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)))
      configure()
    },
    /** Of the switch to PayPal's app, which there is not. */
    hasReturned: () => false,
    resume: () => undefined,
  }
}

/** @throws Error if it does not exist */
function containerAt(place: unknown): HTMLElement {
  const found = typeof place === 'string' ? document.querySelector(place) : place
  if (found instanceof HTMLElement) return found
  throw new Error(`Expected an element, or the selector of one, to render the PayPal button into: ${String(place)}`)
}
