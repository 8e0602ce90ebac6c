import type { ComputerDevice } from '@atrium/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import classes from './computer.module.css'

interface Props {
  devices: readonly ComputerDevice[]
}

/** Devices of one computer; with a key, each uses a deactivation of its own. */
export function ComputerDevices({ devices }: Props) {
  const { t } = useTranslation('devices')
  if (devices.length === 0) return null
  return (
    <ul className={classes.devices}>
      {devices.map((device) => (
        <li key={device.id}>
          <Device device={device} />
          {device.method === 'keycode' && <span className={classes.note}>{t('computer.uses')}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Devices that cannot be released, each with its reason. */
export function NotReleased({ devices }: Props) {
  const { t } = useTranslation('devices')
  const refused = devices.filter(({ refusal }) => refusal !== null)
  if (refused.length === 0) return null
  return (
    <>
      <p>{t('computer.notReleased')}</p>
      <ul className={classes.devices}>
        {refused.map((device) => (
          <li key={device.id}>
            <Device device={device} />
            <span className={classes.note}>{t(`computer.refusals.${device.refusal ?? 'not_yours'}`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Device({ device: { productName, method, email, sn } }: { device: ComputerDevice }) {
  return (
    <>
      <strong>{productName}</strong>
      <span className={method === 'email' ? '' : 'code'}>{email || sn}</span>
    </>
  )
}
