import type { InvitationResult } from '@atrium/contract/team.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './team.module.css'

interface Props {
  results: readonly { email: string; result: InvitationResult }[]
  /** Absent: nothing of it can be corrected. */
  onCorrect?: (() => void) | undefined
  onClose(): void
}

/** What became of each address, where some could not be invited. */
export function InvitationReport({ results, onCorrect, onClose }: Props) {
  const { t } = useTranslation('team')
  const { t: common } = useTranslation('common')
  const total = results.length
  const invited = results.filter(({ result }) => result === 'invited').length
  const title = invited > 0 ? t('report.partTitle', { invited, total }) : t('report.title', { count: total })

  return (
    <DialogFrame title={title} onClose={onClose} width={560}>
      <ul className={classes.report} role="status">
        {results.map(({ email, result }) => (
          <li key={email}>
            <strong>{email}</strong>
            <StatusDot tone={result === 'invited' ? 'good' : 'bad'}>{t(`report.results.${result}`)}</StatusDot>
          </li>
        ))}
      </ul>
      <DialogActions>
        {onCorrect && (
          <Button variant="default" onClick={onCorrect}>
            {t('report.correct')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
