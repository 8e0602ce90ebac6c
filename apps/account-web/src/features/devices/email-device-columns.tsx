import type { EmailDevice } from '@atrium/contract/devices.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { useMember } from '../../page/member.data.ts'
import { toneOfSubscription } from '../../page/subscription-status.rules.ts'
import { DeactivateButton } from './deactivate-button.tsx'
import classes from './devices.module.css'
import { ExplainedWord } from './explained.tsx'

interface Options {
  statuses: Dictionary
  onDeactivate(device: EmailDevice): void
  /** On hover or focus, before the dialog opens. */
  onPreload(): void
}

export function useEmailDeviceColumns({ statuses, onDeactivate, onPreload }: Options): Column<EmailDevice>[] {
  const { t } = useTranslation('devices')
  const { email: own } = useMember()
  return [
    {
      key: 'host',
      label: t('columns.device'),
      place: 'title',
      width: '24%',
      render: ({ hostName, email }) => (
        <>
          <div className={classes.name}>{hostName}</div>
          {email !== own && <div className={classes.detail}>{email}</div>}
        </>
      ),
    },
    { key: 'app', label: t('columns.app'), render: ({ appName }) => appName },
    { key: 'mac', label: t('columns.mac'), render: ({ mac }) => <span className={`code ${classes.mac}`}>{mac}</span> },
    {
      key: 'subscription',
      label: t('columns.subscription'),
      render: ({ subStatus }) => (
        <StatusDot tone={toneOfSubscription(subStatus)}>{statuses.nameOf(subStatus) ?? subStatus}</StatusDot>
      ),
    },
    {
      key: 'date',
      label: t('columns.updated'),
      render: ({ updateDate }) => (
        <span className={classes.date}>
          <DateText date={new Date(updateDate)} />
        </span>
      ),
    },
    {
      key: 'action',
      label: t('columns.action'),
      place: 'action',
      align: 'end',
      render: (device) =>
        device.isDelete === '0' ? (
          <DeactivateButton name={device.hostName} onPress={() => onDeactivate(device)} onPreload={onPreload} />
        ) : (
          <ExplainedWord explanation={t('email.activateTip', { email: device.email })}>{t('activate')}</ExplainedWord>
        ),
    },
  ]
}
