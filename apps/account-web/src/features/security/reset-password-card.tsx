import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './security-settings-screen.module.css'
import { SettingsCard } from './settings-card.tsx'
import { useResetPassword } from './use-reset-password.ts'

const arrow = <IconArrowUpRight size={15} stroke={1.6} />

/** The password is changed in a popup of the single sign-on. */
export function ResetPasswordCard() {
  const { t } = useTranslation('security')
  const { progress, problem, open } = useResetPassword()
  const action = (
    <Button variant="default" onClick={open} disabled={progress === 'done'} rightSection={arrow}>
      {t('password.action')}
    </Button>
  )

  return (
    <SettingsCard title={t('password.title')} lead={t('password.lead')} action={action}>
      <p className={classes.status} role="status">
        {progress === 'done' && t('password.success')}
        {(progress === 'waiting' || progress === 'blocked') && t(`password.${progress}`)}
      </p>
      {problem !== undefined && <InlineFailure problem={problem} sentence={t('password.failure')} />}
    </SettingsCard>
  )
}

/** The same for a vendor whose CAS server stores the passwords: a page there, which sends no messages. */
export function PasswordElsewhereCard({ href }: { href: string }) {
  const { t } = useTranslation('security')
  const action = (
    <Button component="a" href={href} target="_blank" rel="noreferrer" variant="default" rightSection={arrow}>
      {t('password.action')}
    </Button>
  )
  return <SettingsCard title={t('password.title')} lead={t('password.leadElsewhere')} action={action} />
}
