import type { StripeElementClasses } from '@stripe/stripe-js'
import type { Standing } from '../wire/messages.ts'
import { IntegrationError } from './integration-error.ts'

/** The container of an element. @throws IntegrationError if it does not exist */
export function containerAt(place: unknown): HTMLElement {
  const found = typeof place === 'string' ? document.querySelector(place) : place
  if (found instanceof HTMLElement) return found
  throw new IntegrationError(
    typeof place === 'string'
      ? `The selector you specified (${place}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`
      : 'Missing argument. Make sure to call mount() with a valid DOM element or selector.',
  )
}

const defaults = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
} satisfies Required<StripeElementClasses>

/** Sets the container's classes to the element's state, or removes them without one. */
export function showStanding(
  container: HTMLElement,
  given: StripeElementClasses | undefined,
  standing: (Standing & { isFocused: boolean }) | undefined,
): void {
  const classes = { ...defaults, ...given }
  const shown = {
    base: standing !== undefined,
    complete: standing?.isComplete ?? false,
    empty: standing?.isEmpty ?? false,
    focus: standing?.isFocused ?? false,
    invalid: standing?.fault !== undefined,
    webkitAutofill: standing?.isAutofilled ?? false,
  }
  for (const name of ['base', 'complete', 'empty', 'focus', 'invalid', 'webkitAutofill'] as const) {
    for (const word of classes[name].split(/\s+/).filter(Boolean)) container.classList.toggle(word, shown[name])
  }
}

/** A click on the container's label focuses the element, as with any field. */
export function followLabels(container: HTMLElement, focus: () => void, signal: AbortSignal): void {
  const own = container.id === '' ? [] : document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`)
  const around = container.closest('label')
  for (const label of [...own, ...(around ? [around] : [])]) label.addEventListener('click', focus, { signal })
}
