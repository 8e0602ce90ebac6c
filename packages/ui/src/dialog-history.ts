import { createContext } from 'react'

/** What an entry of the browser's history says about dialogs. */
export interface DialogMark {
  /** How many dialogs are open at it. */
  dialogs: number
  /** The entry was added for a dialog that is not in the address. */
  isOwn: boolean
}

interface Entry {
  state: object
}

/** The part of the router's history that dialogs need. */
export interface DialogHistory {
  readonly history: {
    readonly location: Entry
    back(options: { ignoreBlocker: boolean }): void
    forward(options: { ignoreBlocker: boolean }): void
    subscribe(listener: (change: { location: Entry; action: { type: string; index?: number } }) => void): () => void
    block(blocker: { blockerFn(attempt: { action: string }): boolean; enableBeforeUnload: boolean }): () => void
  }
  /** Adds an entry with the same address. */
  push(mark: DialogMark): void
}

/** Without it (a page without a router), Back leaves the page. */
export const DialogHistoryContext = createContext<DialogHistory | undefined>(undefined)

/** No dialog, if the state is of an entry without one. */
export function dialogMark({ state }: Entry): DialogMark {
  const dialogs = 'dialogs' in state && typeof state.dialogs === 'number' ? state.dialogs : 0
  return { dialogs, isOwn: 'isOwn' in state && state.isOwn === true }
}
