import { personName } from '@atrium/ui/person-name.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { AccountAccess } from './account-access.tsx'
import { countryName } from './country-name.ts'
import { profileQuery } from './profile.data.ts'
import classes from './profile-details.module.css'

const fields = ['name', 'email', 'phone', 'company', 'country'] as const
type Values = Readonly<Record<(typeof fields)[number], string>>

/** The person's data, read-only, and who else gets at it. */
export function ProfileDetails() {
  const { locale } = usePage()
  const { data } = useSuspenseQuery(profileQuery(locale.code))
  const { member } = data

  return (
    <>
      <Details
        values={{
          name: personName(locale.code, member.memFirstName, member.memLastName),
          email: member.memEmail,
          phone: member.memPhoneInternational,
          company: member.memCompany,
          country: countryName(data),
        }}
      />
      <AccountAccess grantLoginExpireTime={member.grantLoginExpireTime} />
    </>
  )
}

/** Shown below a failure (000 §8: "an empty list is shown"). */
export function EmptyProfile() {
  return <Details values={{ name: '', email: '', phone: '', company: '', country: '' }} />
}

function Details({ values }: { values: Values }) {
  const { t } = useTranslation('profile')

  return (
    <dl className={classes.details}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{t(`fields.${field}`)}</dt>
          <dd className={field === 'phone' ? 'figures' : undefined}>
            {values[field] || (
              <span className={classes.missing}>
                <span aria-hidden="true">–</span>
                <span className={classes.spoken}>{t('missing')}</span>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
