import { dateOfSeconds, formatMoment } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './profile-details.module.css'

interface Props {
  /** Epoch seconds; in the past or 0: support has no access. */
  grantLoginExpireTime: number
}

/** Whether support can sign in to the account, and where to see who else can. */
export function AccountAccess({ grantLoginExpireTime }: Props) {
  const { t } = useTranslation('profile')
  const locale = useLocale()
  const end = dateOfSeconds(grantLoginExpireTime)
  const sentence = end > new Date() ? t('access.until', { date: formatMoment(locale, end) }) : t('access.none')

  return (
    <p className={classes.access}>
      {joinSentences(locale, [sentence, ''])}
      <Link to="/account" search={{ tab: 'security-settings' }}>
        {t('access.who')}
      </Link>
    </p>
  )
}
