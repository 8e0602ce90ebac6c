import { Button } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { CallProblem } from './call-problem.ts'
import { DialogActions } from './dialog-actions.tsx'
import { DialogRefusal } from './dialog-failure.tsx'
import { DialogFrame } from './dialog-frame.tsx'
import { InlineFailure } from './failure.tsx'
import { FormRefusalContext } from './form-refusal.ts'

interface Props {
  title: string
  confirmLabel: string
  /** Removes something: the button is red, and Enter does not press it. */
  isDestructive?: boolean
  /** False while what it explains is still being loaded: it cannot be confirmed. */
  isReady?: boolean
  busy: boolean
  problem: Error | null
  onConfirm(): void
  onClose(): void
  children: ReactNode
}

/** Explains what an action will do before it is done; where the page's forms are refused, that it cannot be. If it turns out to be impossible, only the reason remains. */
export function ConfirmDialog({
  title,
  confirmLabel,
  isDestructive = false,
  isReady = true,
  busy,
  problem,
  onConfirm,
  onClose,
  children,
}: Props) {
  const { t } = useTranslation('common')
  const certainRefusal = use(FormRefusalContext)
  const shown = problem ?? certainRefusal

  if (problem instanceof CallProblem && problem.isFinal) {
    return (
      // There is nothing left to ask.
      <DialogFrame title={t('unchanged')} onClose={onClose}>
        <DialogRefusal problem={problem} onClose={onClose} />
      </DialogFrame>
    )
  }
  return (
    <DialogFrame title={title} onClose={onClose} busy={busy}>
      {shown && <InlineFailure problem={shown} />}
      {children}
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus={isDestructive || undefined}>
          {t('cancel')}
        </Button>
        <Button
          onClick={onConfirm}
          loading={busy}
          disabled={!isReady || certainRefusal !== undefined}
          data-autofocus={isDestructive ? undefined : true}
          {...(isDestructive && { color: 'bad' })}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
