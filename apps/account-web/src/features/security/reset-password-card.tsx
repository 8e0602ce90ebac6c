import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './security-settings-screen.module.css'
import { useResetPassword } from './use-reset-password.ts'

/** The password is changed at the single sign-on, in a window of its own. */
export function ResetPasswordCard() {
  const { t } = useTranslation('security')
  const { progress, problem, open } = useResetPassword()

  return (
    <section className={classes.card} aria-labelledby="reset-password">
      <div className={classes.words}>
        <h2 id="reset-password">{t('password.title')}</h2>
        <p className={classes.lead}>{t('password.lead')}</p>
        <p className={classes.status} role="status">
          {progress === 'done' && t('password.success')}
          {(progress === 'waiting' || progress === 'blocked') && t(`password.${progress}`)}
        </p>
        {problem !== undefined && <InlineFailure problem={problem} sentence={t('password.failure')} />}
      </div>
      <Button
        variant="default"
        onClick={open}
        disabled={progress === 'done'}
        rightSection={<IconArrowUpRight size={15} stroke={1.6} />}
      >
        {t('password.action')}
      </Button>
    </section>
  )
}
