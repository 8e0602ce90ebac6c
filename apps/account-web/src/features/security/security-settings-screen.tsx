import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { ActiveSessionsSection } from './active-sessions-section.tsx'
import { ActivitySection } from './activity-section.tsx'
import { DataExportCard } from './data-export-card.tsx'
import { LinkedAccountsSection } from './linked-accounts-section.tsx'
import { PasswordElsewhereCard, ResetPasswordCard } from './reset-password-card.tsx'
import classes from './security-settings-screen.module.css'
import { SupportAccessSection } from './support-access-section.tsx'

/** 000 §2.2 and §2.3, and the login providers of 001 §2. A support agent may not read how the member signs in, and where. */
export function SecuritySettingsScreen() {
  const { t: frame } = useTranslation('frame')
  const { settings, support } = usePage()
  const { passwordUrl } = settings

  return (
    <PageFrame title={frame('tabs.security-settings')} lead={frame('leads.security-settings')}>
      <div className={classes.sections}>
        {support ? (
          <SupportAccessSection />
        ) : (
          <>
            {passwordUrl === null ? <ResetPasswordCard /> : <PasswordElsewhereCard href={passwordUrl} />}
            <SupportAccessSection />
            <ActiveSessionsSection />
            {passwordUrl === null && <LinkedAccountsSection />}
            <DataExportCard />
            <ActivitySection />
          </>
        )}
      </div>
    </PageFrame>
  )
}
