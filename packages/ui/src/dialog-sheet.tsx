import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog-frame.module.css'
import { useDoublePressGuard } from './double-press.ts'
import { breakpoints } from './theme.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  title: string
  /** Escape, the button, and a click outside. */
  onClose(): void
  busy?: boolean
  /** On a phone it takes the whole height, otherwise as little as it needs. */
  isTall?: boolean
  layer: keyof typeof layers
  /** Pixels. */
  width: number
  /** Something was entered. */
  onInput?: (() => void) | undefined
  children: ReactNode
}

const layers = { page: 200, question: 210, above: 250 } as const

/** What a dialog looks like: a window, or a sheet on a phone. */
export function DialogSheet({ title, onClose, busy = false, isTall = false, layer, width, onInput, children }: Props) {
  const { t } = useTranslation('common')
  const isPhone = useMediaQuery(`(max-width: ${breakpoints.sheet - 1}px)`, false, { getInitialValueInEffect: false })
  const isBottom = isPhone && !isTall
  useReturnFocus()
  useDoublePressGuard()

  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={isBottom ? '100%' : width}
      fullScreen={isPhone && isTall}
      centered={!isPhone}
      padding={isPhone ? 16 : 24}
      {...(isBottom && { xOffset: 0, yOffset: 0 })}
      zIndex={layers[layer]}
      // CSS locks scrolling (`base.css`): Mantine's lock would need a style element without our nonce.
      lockScroll={false}
      returnFocus={false}
      data-dialog={layer}
      data-bottom={isBottom || undefined}
    >
      <Modal.Overlay />
      <Modal.Content
        classNames={{ inner: classes.inner ?? '', content: classes.content ?? '' }}
        onFocus={({ target }) => markForTrap(target)}
        onInput={onInput}
      >
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
