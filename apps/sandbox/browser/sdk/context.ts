import type { Controller } from './controller.ts'

/** What everything that belongs to one `Stripe(key)` shares. */
export interface Context {
  controller: Controller
  /** Of errors and of elements that have none of their own; never `auto`. */
  locale: string
}

/** @param wanted `auto` is the browser's own */
export function localeOf(wanted: string | undefined): string {
  return wanted === undefined || wanted === 'auto' ? navigator.language : wanted
}
