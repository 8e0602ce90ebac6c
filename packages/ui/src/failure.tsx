import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './failure.module.css'
import { isReadOnly, requestIdOf, useProblemText } from './problem-text.ts'
import { returnLostFocus } from './use-return-focus.ts'

interface Props {
  problem: unknown
  /** The specification's sentence for this failure, if it has one. Not for what a support agent may not even try. */
  sentence?: string | undefined
  onRetry(): void
  isRetrying?: boolean
}

/** A part of the page that could not be loaded: a sentence, a retry button if that can help, and the id to quote. */
export function Failure({ problem, sentence, onRetry, isRetrying = false }: Props) {
  const { t } = useTranslation('common')
  const problemText = useProblemText()
  const pressed = useRef<HTMLButtonElement>(null)

  // The button loses the focus while it is busy, and when something else replaces it.
  useEffect(() => {
    const returnFocus = () => {
      if (pressed.current) returnLostFocus(pressed.current)
    }
    if (!isRetrying) returnFocus()
    return returnFocus
  }, [isRetrying])

  function retry() {
    pressed.current = document.activeElement instanceof HTMLButtonElement ? document.activeElement : null
    onRetry()
  }

  return (
    <div className={classes.failure} role="alert">
      <IconAlertTriangle size={24} stroke={1.5} className={classes.icon} aria-hidden />
      <div>
        {sentence && <p className={classes.sentence}>{sentence}</p>}
        <p className={sentence ? classes.detail : classes.sentence}>{problemText(problem)}</p>
      </div>
      {!isReadOnly(problem) && (
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={retry} loading={isRetrying}>
          {t('retry')}
        </Button>
      )}
      <RequestId problem={problem} />
    </div>
  )
}

interface InlineProps extends Pick<Props, 'problem' | 'sentence'> {
  /** Of what happens while somebody types: the focus stays where it is. */
  isBeside?: boolean
}

/** A failure inside a dialog or form, which has its own submit button. Takes the focus, which that button lost while busy. */
export function InlineFailure({ problem, sentence, isBeside = false }: InlineProps) {
  const problemText = useProblemText()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isBeside) place.current?.focus()
  }, [isBeside])

  return (
    <div className={classes.inline} role="alert" tabIndex={-1} ref={place}>
      <IconAlertTriangle size={18} stroke={1.6} className={classes.icon} aria-hidden />
      <div>
        {sentence && !isReadOnly(problem) && <p>{sentence}</p>}
        <p>{problemText(problem)}</p>
        <RequestId problem={problem} />
      </div>
    </div>
  )
}

function RequestId({ problem }: Pick<Props, 'problem'>) {
  const { t } = useTranslation('common')
  const id = requestIdOf(problem)
  if (!id) return null

  return (
    <p className={classes.request}>
      {t('requestId')} <span className="code">{id}</span>
    </p>
  )
}
