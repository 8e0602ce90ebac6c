import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { offeredQuery } from './offered.data.ts'
import { useAnswerOffered } from './offered-answers.data.ts'

/** Trials that were begun with the member's address: only they know whether by them. */
export function OfferedNotices() {
  const { data } = useQuery(offeredQuery)
  return data?.list.map((offered) => <OfferedNotice key={offered.id} {...offered} />)
}

function OfferedNotice({ id, begunAt }: { id: string; begunAt: number }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const problemText = useProblemText()
  const answer = useAnswerOffered()
  const date = formatDate(locale, new Date(begunAt * 1000), 'UTC')

  function give(isMine: boolean) {
    answer.mutate(
      { id, isMine },
      {
        onSuccess: () => showSuccess(t(isMine ? 'offered.added' : 'offered.declined')),
        onError: (problem) => showFailure(problemText(problem)),
      },
    )
  }

  const isAnswered = (isMine: boolean) => answer.isPending && answer.variables.isMine === isMine
  return (
    <Notice
      tone="info"
      title={t('offered.title')}
      action={
        <Group gap="xs">
          <Button loading={isAnswered(true)} disabled={answer.isPending} onClick={() => give(true)}>
            {t('offered.add')}
          </Button>
          <Button variant="default" loading={isAnswered(false)} disabled={answer.isPending} onClick={() => give(false)}>
            {t('offered.notMine')}
          </Button>
        </Group>
      }
    >
      {joinSentences(locale, [t('offered.why', { date }), t('offered.next')])}
    </Notice>
  )
}
