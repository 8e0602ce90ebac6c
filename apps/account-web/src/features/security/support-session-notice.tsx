import type { SupportSession } from '@atrium/contract/support-sessions.ts'
import { dateOfSeconds, formatTime } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { useEndSupportSession } from './support-sessions.data.ts'

/** A support agent who is in the account: who, since when, why, and a button that ends it. */
export function SupportSessionNotice({ session }: { session: SupportSession }) {
  const { t } = useTranslation('frame')
  const locale = useLocale()
  const { brandName: brand } = usePage().settings
  const problemText = useProblemText()
  const end = useEndSupportSession(() => showSuccess(t('support.ended')))
  const { id, agentName: agent, startedAt, reason, ticket } = session

  const onError = (problem: Error) => showFailure(problemText(problem))

  const action = (
    <Button variant="default" loading={end.isPending} onClick={() => end.mutate(id, { onError })}>
      {t('support.end')}
    </Button>
  )
  return (
    <Notice
      tone="warning"
      title={t('support.viewing', { agent, brand, time: formatTime(locale, dateOfSeconds(startedAt)) })}
      action={action}
    >
      {t('support.why', { reason, ticket })}
    </Notice>
  )
}
