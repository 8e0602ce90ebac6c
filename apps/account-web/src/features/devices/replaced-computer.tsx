import type { ComputerDevice } from '@atrium/contract/devices.ts'
import { CloseAction } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './computer.module.css'
import { NotReleased } from './computer-devices.tsx'

interface Props {
  /** Name of the computer. */
  name: string
  /** What became of each device. */
  devices: readonly ComputerDevice[]
  onClose(): void
}

/** What was released, what was not and why, and how to go on with the new one. */
export function ReplacedComputer({ name, devices, onClose }: Props) {
  const { t } = useTranslation('devices')
  const released = devices.filter(({ refusal }) => refusal === null)

  return (
    <DialogFrame
      title={t(`computer.outcome.${outcomeOf(devices.length, released.length)}`, { name })}
      onClose={onClose}
    >
      <div className={classes.computer} role="status">
        <NotReleased devices={devices} />
        {released.length > 0 && <Steps released={released} />}
      </div>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}

function outcomeOf(all: number, released: number) {
  if (released === all) return 'all'
  return released > 0 ? 'part' : 'none'
}

function Steps({ released }: { released: readonly ComputerDevice[] }) {
  const { t } = useTranslation('devices')
  const { t: frame } = useTranslation('frame')
  const emails = [...new Set(released.flatMap(({ email }) => email || []))]
  const locale = useLocale()
  const anyOf = new Intl.ListFormat(locale, { type: 'disjunction' })
  const namesOf = (devices: readonly ComputerDevice[]) => new Set(devices.map(({ productName }) => productName))
  const byEmail = namesOf(released.filter(({ method }) => method === 'email'))
  const byKey = namesOf(released.filter(({ method }) => method === 'keycode'))
  const list = new Intl.ListFormat(locale)
  // One way alone needs no names.
  const isMixed = byEmail.size > 0 && byKey.size > 0

  return (
    <>
      <p>{t('computer.next')}</p>
      <ol className={classes.steps}>
        <li>
          {t('computer.install', { count: namesOf(released).size })}{' '}
          <Link to="/account" search={{ tab: 'my-products' }}>
            {frame('tabs.my-products')}
          </Link>
        </li>
        {emails.length > 0 && (
          <li>
            {isMixed && <strong>{list.format(byEmail)}</strong>}
            {t('computer.signIn', { count: byEmail.size, email: anyOf.format(emails) })}
          </li>
        )}
        {byKey.size > 0 && (
          <li>
            {isMixed && <strong>{list.format(byKey)}</strong>}
            {t('computer.enterKey')}{' '}
            <Link to="/account" search={{ tab: 'license-management' }}>
              {frame('tabs.license-management')}
            </Link>
          </li>
        )}
      </ol>
    </>
  )
}
