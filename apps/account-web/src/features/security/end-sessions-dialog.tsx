import type { ActiveSession } from '@atrium/contract/active-sessions.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { useEndSessions } from './active-sessions.data.ts'
import { useBrowserName } from './use-browser-name.ts'

/** One session, or all but the page's own. */
export type Ending = ActiveSession | 'others'

interface Props {
  ending: Ending
  onClose(): void
}

export function EndSessionsDialog({ ending, onClose }: Props) {
  const { t } = useTranslation('security')
  const nameOf = useBrowserName()
  const end = useEndSessions()
  const isOne = ending !== 'others'
  const browser = isOne ? nameOf(ending) : ''

  function confirm() {
    end.mutate(isOne ? ending.id : undefined, {
      onSuccess() {
        showSuccess(isOne ? t('sessions.ended', { browser }) : t('sessions.othersEnded'))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t(isOne ? 'sessions.endTitle' : 'sessions.endOthersTitle')}
      confirmLabel={t(isOne ? 'sessions.end' : 'sessions.endOthers')}
      busy={end.isPending}
      problem={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isOne ? t('sessions.endEffect', { browser }) : t('sessions.endOthersEffect')}
    </ConfirmDialog>
  )
}
