import { Button } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogActions } from './dialog-actions.tsx'
import { DialogSheet } from './dialog-sheet.tsx'
import { useDialogClosing } from './use-dialog-closing.ts'

interface Props {
  title: string
  onClose(): void
  /** While it is busy, neither a stray click nor Escape nor Back closes it. */
  busy?: boolean
  /** Something can be entered, which is not discarded without a question; on a phone it is a full-height sheet. */
  isForm?: boolean
  /** On a phone it is a full-height sheet, so that nothing moves when its content changes; a form always is. */
  isTall?: boolean
  /** Something was entered in the fields of a frame, of which this page does not hear. */
  isEdited?: boolean
  /** Above other dialogs: for being signed out, which can happen while one is open. */
  isAbove?: boolean
  /** Pixels. */
  width?: number
  children: ReactNode
}

const CloseContext = createContext<(() => void) | undefined>(undefined)

/** Closes the dialog around it like Escape, for a key that was pressed in a frame. */
export function useCloseDialog(): () => void {
  const close = use(CloseContext)
  if (!close) throw new Error('There is no dialog around it.')
  return close
}

/** A dialog, or a sheet on a phone. Mounted to open, unmounted to close; focus returns to where it was. */
export function DialogFrame(props: Props) {
  const {
    title,
    onClose,
    busy = false,
    isForm = false,
    isTall = isForm,
    isEdited = false,
    isAbove = false,
    width = 480,
    children,
  } = props
  const { close, isAsking, keepEditing, noteInput } = useDialogClosing({
    busy,
    isForm,
    isEdited,
    // Every open dialog receives Escape.
    isBeneath: () => !isAbove && document.querySelector('[data-dialog="above"]') !== null,
    onClose,
  })

  return (
    <>
      <DialogSheet
        title={title}
        onClose={close}
        busy={busy}
        isTall={isTall}
        layer={isAbove ? 'above' : 'page'}
        width={width}
        onInput={noteInput}
      >
        <CloseContext value={close}>{children}</CloseContext>
      </DialogSheet>
      {isAsking && !busy && <DiscardQuestion onKeep={keepEditing} onDiscard={onClose} />}
    </>
  )
}

function DiscardQuestion({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) {
  const { t } = useTranslation('common')
  return (
    <DialogSheet title={t('discard.title')} onClose={onKeep} layer="question" width={420}>
      <DialogActions>
        <Button variant="default" onClick={onKeep} data-autofocus>
          {t('discard.keep')}
        </Button>
        <Button color="bad" onClick={onDiscard}>
          {t('discard.confirm')}
        </Button>
      </DialogActions>
    </DialogSheet>
  )
}
