import type { EmailDevice } from '@atrium/contract/devices.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { useMember } from '../../page/member.data.ts'
import { ComputerMenu } from './computer-menu.tsx'
import { DeactivateButton } from './deactivate-button.tsx'
import classes from './devices.module.css'
import { ExplainedWord } from './explained.tsx'
import { InactiveSince } from './inactive-since.tsx'

interface Options {
  statuses: Dictionary
  onDeactivate(device: EmailDevice): void
  /** Replaces the whole computer. */
  onReplace(device: EmailDevice): void
  /** On hover or focus, before the dialog opens. */
  onPreload(): void
}

export function useEmailDeviceColumns({
  statuses,
  onDeactivate,
  onReplace,
  onPreload,
}: Options): Column<EmailDevice>[] {
  const { t } = useTranslation('devices')
  const { email: own } = useMember()
  return [
    {
      key: 'host',
      label: t('columns.device'),
      place: 'title',
      width: '28%',
      render: ({ hostName, email, mac }) => (
        <>
          <div className={classes.name}>{hostName}</div>
          {email !== own && <div className={classes.detail}>{email}</div>}
          <div className={`code ${classes.detail} ${classes.mac}`}>{mac}</div>
        </>
      ),
    },
    {
      key: 'state',
      label: t('columns.status'),
      place: 'corner',
      render: ({ isDelete, inactiveSince }) =>
        isDelete === '0' ? (
          <StatusDot tone="good">{t('state.active')}</StatusDot>
        ) : (
          <InactiveSince date={inactiveSince} />
        ),
    },
    {
      key: 'app',
      label: t('columns.app'),
      render: ({ appName, productName, subStatus }) => (
        <>
          {appName}
          <div className={classes.detail}>
            {productName}
            {'\u00a0· '}
            {statuses.nameOf(subStatus) ?? subStatus}
          </div>
        </>
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
          <ComputerMenu name={device.hostName} onReplace={() => onReplace(device)} onPreload={onPreload}>
            <DeactivateButton name={device.hostName} onPress={() => onDeactivate(device)} onPreload={onPreload} />
          </ComputerMenu>
        ) : (
          <ExplainedWord explanation={t('email.activateTip', { email: device.email })}>{t('activate')}</ExplainedWord>
        ),
    },
  ]
}
