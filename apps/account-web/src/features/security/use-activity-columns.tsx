import type { ActivityEntry } from '@atrium/contract/activity.ts'
import { ProviderName } from '@atrium/contract/login-providers.ts'
import { dateOfSeconds } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import classes from './activity.module.css'
import { NetworkAddress } from './network-address.tsx'

export function useActivityColumns(): Column<ActivityEntry>[] {
  const { t } = useTranslation('activity')
  return [
    { key: 'what', label: t('what'), place: 'title', render: (entry) => <What entry={entry} /> },
    { key: 'who', label: t('who'), render: (entry) => <Who entry={entry} /> },
    { key: 'at', label: t('at'), render: ({ at }) => <DateText date={dateOfSeconds(at)} withTime /> },
    { key: 'address', label: t('address'), render: ({ address }) => <NetworkAddress address={address} /> },
  ]
}

function What({ entry: { action, subject } }: { entry: ActivityEntry }) {
  const { t } = useTranslation('activity')
  const { t: common } = useTranslation('common')
  const sentence = `actions.${action}` as const
  const { data: provider } = ProviderName.safeParse(subject)
  const name = provider ? common(`providers.${provider}`) : subject
  return (
    <span className={classes.what}>
      <strong>{t(sentence)}</strong>
      {name !== '' && <span className={classes.subject}>{name}</span>}
    </span>
  )
}

function Who({ entry: { who, name } }: { entry: ActivityEntry }) {
  const { t } = useTranslation('activity')
  const { brandName: brand } = usePage().settings
  return (
    <span className={classes.who}>
      {t(`actors.${who}`, { brand })}
      {name !== '' && <span className={classes.subject}>{name}</span>}
    </span>
  )
}
