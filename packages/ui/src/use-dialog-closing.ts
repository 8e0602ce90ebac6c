import { useRef, useState } from 'react'
import { useDialogHistory } from './use-dialog-history.ts'

interface Options {
  /** Its operation runs: the dialog stays. */
  busy: boolean
  isForm: boolean
  isEdited: boolean
  /** Another dialog is in front of it, and is closed first. */
  isBeneath(): boolean
  onClose(): void
}

/** How a dialog is closed by Escape, its button, a click outside and Back: once something was entered, only after a question. */
export function useDialogClosing({ busy, isForm, isEdited, isBeneath, onClose }: Options) {
  const hasInput = useRef(false)
  const [isAsking, setAsking] = useState(false)

  /** Asks if something would be lost. To leave the question itself is to go on editing. */
  function mayLeave(): boolean {
    if (busy) return false
    const isLost = isForm && (isEdited || hasInput.current)
    if (isLost) setAsking(!isAsking)
    return !isLost
  }

  useDialogHistory({ mayLeave, close: onClose })

  return {
    isAsking,
    keepEditing: () => setAsking(false),
    noteInput: () => {
      hasInput.current = true
    },
    close: () => {
      if (!isBeneath() && mayLeave()) onClose()
    },
  }
}
