import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog-frame.module.css'
import { breakpoints } from './theme.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  title: string
  onClose(): void
  /** While it is busy, a stray click or Escape does not close it. */
  busy?: boolean
  /** A stray click outside does not close it, which would discard the input. */
  isForm?: boolean
  /** Above other dialogs: for being signed out, which can happen while one is open. */
  isAbove?: boolean
  /** Pixels. */
  width?: number
  children: ReactNode
}

/** A dialog, or a full-height sheet on a phone. Mounted to open, unmounted to close; focus returns to where it was. */
export function DialogFrame(props: Props) {
  const { title, onClose, busy = false, isForm = false, isAbove = false, width = 480, children } = props
  const { t } = useTranslation('common')
  const isSheet = useMediaQuery(`(max-width: ${breakpoints.sheet - 1}px)`, false, { getInitialValueInEffect: false })
  useReturnFocus()

  function close() {
    // Every open dialog receives Escape.
    const isBeneath = !isAbove && document.querySelector('[data-dialog="above"]') !== null
    if (!busy && !isBeneath) onClose()
  }

  return (
    <Modal.Root
      opened
      onClose={close}
      closeOnClickOutside={!isForm}
      size={width}
      fullScreen={isSheet}
      centered={!isSheet}
      padding={isSheet ? 16 : 24}
      zIndex={isAbove ? 250 : 200}
      // CSS locks scrolling (`base.css`): Mantine's lock would need a style element without our nonce.
      lockScroll={false}
      returnFocus={false}
      data-dialog={isAbove ? 'above' : 'page'}
    >
      <Modal.Overlay />
      <Modal.Content classNames={{ content: classes.content ?? '' }} onFocus={({ target }) => markForTrap(target)}>
        <div className={classes.header}>
          <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('close')} disabled={busy} size="lg" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/**
 * Mantine's focus trap focuses `data-autofocus` some time after mounting, when the reader may already be in another field. The
 * focused element keeps the focus.
 */
function markForTrap(focused: Element): void {
  for (const other of document.querySelectorAll('[role=dialog] [data-autofocus]'))
    other.removeAttribute('data-autofocus')
  focused.setAttribute('data-autofocus', '')
}

/** The buttons at the foot of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}
