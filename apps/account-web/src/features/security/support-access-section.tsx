import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import classes from './security-settings-screen.module.css'
import { SupportAccessTable } from './support-access-table.tsx'
import { SupportSessionNotice } from './support-session-notice.tsx'
import { useSupportSessions } from './support-sessions.data.ts'

/** The vendor's support may sign in as the customer until a chosen time (000 §2.3). */
export function SupportAccessSection() {
  const { t } = useTranslation('security')
  const { settings } = usePage()

  return (
    <section aria-labelledby="support-access">
      <div className={classes.sectionHead}>
        <h2 id="support-access">{t('access.title')}</h2>
        <p className={classes.lead}>{t('access.lead')}</p>
      </div>
      <SupportAccessTable support={t('access.support', { brand: settings.brandName })} />
      <RunningSessions />
    </section>
  )
}

/** Who is signed in under the access at the moment. */
function RunningSessions() {
  const { t } = useTranslation('frame')
  const sessions = useSupportSessions()
  if (sessions.length === 0) return null

  return (
    <div className={classes.running}>
      <h3 className={classes.sectionHead}>{t('support.running')}</h3>
      {sessions.map((session) => (
        <SupportSessionNotice key={session.id} session={session} />
      ))}
    </div>
  )
}
