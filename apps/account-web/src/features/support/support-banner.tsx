import { leaveSupport } from '@atrium/contract/support-sessions.ts'
import { dateOfSeconds, formatTime } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { personName } from '@atrium/ui/person-name.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { usePage } from '../../page/page-data.ts'
import classes from './support-banner.module.css'

/** Reminds a support agent, on every tab, whose account they see, and that they only read. */
export function SupportBanner() {
  const { t } = useTranslation('frame')
  const locale = useLocale()
  const { support, member } = usePage()
  const problemText = useProblemText()
  const leave = useMutation({
    mutationFn: () => call(leaveSupport, { body: {} }),
    onSuccess: ({ redirectUrl }) => location.replace(redirectUrl),
    onError: (problem) => showFailure(problemText(problem)),
  })
  if (!support) return null
  const name = personName(locale, member.firstName, member.lastName) || member.email

  return (
    <section className={classes.banner} aria-label={t('support.seen', { name })}>
      <p>
        <strong>{t('support.seen', { name })}</strong>{' '}
        {t('support.readOnly', { time: formatTime(locale, dateOfSeconds(support.endsAt)) })}
      </p>
      <Button size="compact-sm" variant="white" color="dark" loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('support.leave')}
      </Button>
    </section>
  )
}
