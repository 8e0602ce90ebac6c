import type { Configuration } from '../../wire/messages.ts'

/** How the fields of an element are laid out. */
export interface Layout {
  root: HTMLElement
  isCollapsed(): boolean
  fold(isFolded: boolean): void
  /** Applies texts and options. */
  configure(configuration: Configuration): void
  /** Shows the state of the fields. */
  show(): void
}
