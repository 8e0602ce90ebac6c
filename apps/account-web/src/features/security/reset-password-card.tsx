import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './security-settings-screen.module.css'
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
    <Card lead={t('password.lead')} action={action}>
      <p className={classes.status} role="status">
        {progress === 'done' && t('password.success')}
        {(progress === 'waiting' || progress === 'blocked') && t(`password.${progress}`)}
      </p>
      {problem !== undefined && <InlineFailure problem={problem} sentence={t('password.failure')} />}
    </Card>
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
  return <Card lead={t('password.leadElsewhere')} action={action} />
}

function Card({ lead, action, children }: { lead: string; action: ReactNode; children?: ReactNode }) {
  const { t } = useTranslation('security')
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.words}>
        <h2 id={id}>{t('password.title')}</h2>
        <p className={classes.lead}>{lead}</p>
        {children}
      </div>
      {action}
    </section>
  )
}
