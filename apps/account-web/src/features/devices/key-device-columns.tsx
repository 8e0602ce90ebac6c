import type { KeyDevice } from '@atrium/contract/devices.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import { ComputerMenu } from './computer-menu.tsx'
import { DeactivateButton } from './deactivate-button.tsx'
import classes from './devices.module.css'
import { stateOf } from './devices.rules.ts'
import { ExplainedWord } from './explained.tsx'
import { InactiveSince } from './inactive-since.tsx'

interface Options {
  /** Whether the license is valid. */
  isValid: boolean
  onDeactivate(device: KeyDevice): void
  /** Replaces the whole computer. */
  onReplace(device: KeyDevice): void
  /** On hover or focus, before the dialog opens. */
  onPreload(): void
}

export function useKeyDeviceColumns({ isValid, onDeactivate, onReplace, onPreload }: Options): Column<KeyDevice>[] {
  const { t } = useTranslation('devices')
  return [
    {
      key: 'name',
      label: t('columns.device'),
      place: 'title',
      width: '30%',
      render: ({ pcName }) => <span className={classes.name}>{pcName}</span>,
    },
    {
      key: 'mac',
      label: t('columns.mac'),
      render: ({ macAddress }) => <span className={`code ${classes.mac}`}>{macAddress}</span>,
    },
    {
      key: 'date',
      label: t('columns.activated'),
      render: ({ requestDate }) => (
        <span className={classes.date}>
          <DateText date={new Date(requestDate)} />
        </span>
      ),
    },
    { key: 'status', label: t('columns.status'), place: 'corner', render: (device) => <State device={device} /> },
    {
      key: 'action',
      label: t('columns.action'),
      place: 'action',
      align: 'end',
      render: (device) => (
        <DeviceAction
          device={device}
          refusal={t(isValid ? 'keycode.noneLeftTip' : 'keycode.notValidTip')}
          onPress={() => onDeactivate(device)}
          onReplace={() => onReplace(device)}
          onPreload={onPreload}
        />
      ),
    },
  ]
}

interface RowProps {
  device: KeyDevice
}

/** The state of a device (000 §4); version 11 and earlier has an explanation, since it cannot be deactivated remotely. */
function State({ device }: RowProps) {
  const { t } = useTranslation('devices')
  const state = stateOf(device)
  if (state === 'inactive') return <InactiveSince date={device.inactiveSince} />
  if (state !== 'earlier') return <StatusDot tone="good">{t('state.active')}</StatusDot>
  return (
    <StatusDot tone="off">
      <ExplainedWord explanation={t('keycode.earlierTip')}>{t('state.deactivated')}</ExplainedWord>
    </StatusDot>
  )
}

interface DeviceActionProps extends RowProps {
  /** Why an active device cannot be deactivated now. */
  refusal: string
  onPress(): void
  onReplace(): void
  onPreload(): void
}

function DeviceAction({ device, refusal, onReplace, ...button }: DeviceActionProps) {
  const { t } = useTranslation('devices')
  const state = stateOf(device)
  if (state === 'inactive') {
    return <ExplainedWord explanation={t('keycode.activateTip')}>{t('activate')}</ExplainedWord>
  }
  return (
    <ComputerMenu name={device.pcName} onReplace={onReplace} onPreload={button.onPreload}>
      {state !== 'earlier' && (
        <DeactivateButton name={device.pcName} refusal={state === 'locked' ? refusal : undefined} {...button} />
      )}
    </ComputerMenu>
  )
}
