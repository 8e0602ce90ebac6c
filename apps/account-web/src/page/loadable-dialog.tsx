import { useDoublePressGuard } from '@atrium/ui/double-press.ts'
import { Failure } from '@atrium/ui/failure.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { useDialogHistory } from '@atrium/ui/use-dialog-history.ts'
import { Button, Loader } from '@mantine/core'
import { useTimeout, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableCode } from './loadable-code.ts'
import classes from './loadable-dialog.module.css'
import { recover } from './recover.ts'

interface Closable {
  onClose(): void
}

/** A dialog whose code is loaded on demand, with an indicator while it loads, and a message if it fails. Back closes all three. */
export function loadableDialog<Props extends Closable>(load: () => Promise<ComponentType<Props>>) {
  const { code, loadCode } = loadableCode(load)

  function Dialog(props: Props) {
    const { data: Shown, error, refetch, isFetching } = useQuery(code)
    if (Shown) return <Shown {...props} />
    if (isFetching) return <Loading onClose={props.onClose} />
    return <Missing problem={error} onRetry={() => recover(error, () => void refetch())} onClose={props.onClose} />
  }
  return {
    Dialog,
    /** Loads its code on hover or focus. */
    preload: () => void loadCode().catch(() => undefined),
  }
}

/** How long a dialog loads before a press cancels it: an earlier one repeats the press that opens it. */
const cancelableAfterMs = 2000

/** Takes no focus, since the dialog returns it to where it was on mount. */
function Loading({ onClose }: Closable) {
  const { t } = useTranslation('common')
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose())
  useDialogHistory({ mayLeave: () => true, close: onClose })
  useDoublePressGuard()
  const [isCancelable, setCancelable] = useState(false)
  useTimeout(() => setCancelable(true), cancelableAfterMs, { autoInvoke: true })

  return (
    <div className={classes.loading}>
      <button type="button" tabIndex={-1} aria-label={t('close')} onClick={() => isCancelable && onClose()} />
      <div role="status" aria-label={t('loading')}>
        <Loader size={28} />
      </div>
    </div>
  )
}

interface MissingProps extends Closable {
  problem: unknown
  onRetry(): void
}

/** A native dialog, because our dialog frame may be part of the missing code. */
function Missing({ problem, onRetry, onClose }: MissingProps) {
  const { t } = useTranslation('common')
  const problemText = useProblemText()
  useDialogHistory({ mayLeave: () => true, close: onClose })
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])

  return (
    <dialog ref={dialog} className={classes.missing} aria-label={problemText(problem)} onCancel={onClose} data-dialog>
      <Failure problem={problem} onRetry={onRetry} />
      <Button variant="subtle" onClick={onClose}>
        {t('close')}
      </Button>
    </dialog>
  )
}
