import { use, useEffect, useEffectEvent } from 'react'
import { type DialogHistory, DialogHistoryContext, dialogMark } from './dialog-history.ts'

interface OpenDialog {
  /** Asked before Back closes it. */
  mayLeave(): boolean
  close(): void
}

/** Makes Back close a dialog. An entry of the history is added for it, unless the dialog is in the address, and removed with it. */
export function useDialogHistory(dialog: OpenDialog): void {
  const pages = use(DialogHistoryContext)
  const mayLeave = useEffectEvent(dialog.mayLeave)
  const close = useEffectEvent(dialog.close)

  useEffect(() => {
    if (!pages) return undefined
    return stackOf(pages).open({ mayLeave: () => mayLeave(), close: () => close() })
  }, [pages])
}

type Stack = ReturnType<typeof newStack>

const stacks = new WeakMap<DialogHistory['history'], Stack>()

function stackOf(pages: DialogHistory): Stack {
  const stack = stacks.get(pages.history) ?? newStack(pages)
  stacks.set(pages.history, stack)
  return stack
}

/** The open dialogs, and the entries that stand for them. */
function newStack({ history, push }: DialogHistory) {
  const dialogs: OpenDialog[] = []
  let here = history.location
  /** A dialog was opened whose entry may be missing. */
  let isNew = false
  /** The entry of a closed dialog is being left. */
  let isLeaving = false
  let unblock: (() => void) | undefined

  history.subscribe(({ location, action }) => {
    const left = dialogMark(here)
    const isSame = location.state === here.state
    here = location
    // It is added a moment later: the dialog may have been closed meanwhile.
    if (action.type === 'PUSH' && dialogMark(location).isOwn) setTimeout(settle)
    if (isSame || action.type === 'PUSH' || action.type === 'REPLACE') return
    if (isLeaving) {
      isLeaving = false
      return settle()
    }
    const { dialogs: wanted, isOwn } = dialogMark(location)
    if (left.isOwn && wanted < left.dialogs) {
      // The dialog below it, if any, has no entry of its own yet.
      isNew = true
      dialogs.at(-1)?.close()
    } else if (isOwn && wanted > dialogs.length) skip(action)
  })

  /** The entry of a dialog that is closed: goes on in the same direction. */
  function skip({ type, index = 0 }: { type: string; index?: number }) {
    if (type === 'FORWARD' || index > 0) history.forward({ ignoreBlocker: true })
    else history.back({ ignoreBlocker: true })
  }

  function settle() {
    if (isLeaving) return
    const mark = dialogMark(history.location)
    if (dialogs.length > mark.dialogs && isNew) push({ dialogs: dialogs.length, isOwn: true })
    if (dialogs.length < mark.dialogs && mark.isOwn) {
      isLeaving = true
      history.back({ ignoreBlocker: true })
    }
    isNew = false
  }

  function open(dialog: OpenDialog) {
    dialogs.push(dialog)
    isNew = true
    unblock ??= history.block({
      blockerFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE' && dialogs.at(-1)?.mayLeave() === false,
      enableBeforeUnload: false,
    })
    // Later: one dialog may follow another, and take over its entry.
    setTimeout(settle)
    return () => {
      dialogs.splice(dialogs.indexOf(dialog), 1)
      if (dialogs.length === 0) {
        unblock?.()
        unblock = undefined
      }
      setTimeout(settle)
    }
  }

  return { open }
}
