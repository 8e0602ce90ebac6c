import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog-frame.module.css'

/** The buttons at the foot of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}

interface Closable {
  onClose(): void
}

/** The foot of a dialog that only tells something. */
export function CloseAction({ onClose }: Closable) {
  const { t } = useTranslation('common')
  return (
    <DialogActions>
      <Button onClick={onClose} data-autofocus>
        {t('close')}
      </Button>
    </DialogActions>
  )
}

interface FormActionsProps extends Closable {
  /** What the form does. */
  label: string
  isBusy: boolean
  /** There is nothing to send yet. */
  isDisabled?: boolean
  /** It cannot be undone: the button is red. */
  isDestructive?: boolean
  /** By default Cancel. */
  cancelLabel?: string
  icon?: ReactNode
}

/** The foot of a form in a dialog, inside the form. */
export function FormActions({
  label,
  isBusy,
  isDisabled = false,
  isDestructive = false,
  cancelLabel,
  icon,
  onClose,
}: FormActionsProps) {
  const { t } = useTranslation('common')
  return (
    <DialogActions>
      <Button variant="default" onClick={onClose} disabled={isBusy}>
        {cancelLabel ?? t('cancel')}
      </Button>
      <Button
        type="submit"
        loading={isBusy}
        disabled={isDisabled}
        rightSection={icon}
        {...(isDestructive && { color: 'bad' })}
      >
        {label}
      </Button>
    </DialogActions>
  )
}
