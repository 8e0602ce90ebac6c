import type { Configuration } from '../../wire/messages.ts'

/** How the fields of an element are laid out. */
export interface Layout {
  root: HTMLElement
  isCollapsed(): boolean
  fold(isFolded: boolean): void
  /** Puts texts and options in. */
  configure(configuration: Configuration): void
  /** Shows how the fields stand. */
  show(): void
}
