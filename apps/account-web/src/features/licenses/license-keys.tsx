import type { readLicenseKeys } from '@atrium/contract/licenses.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { CopyableCode } from '../../page/copyable-code.tsx'
import classes from './get-key-dialog.module.css'

interface Props {
  keys: z.output<typeof readLicenseKeys.reply>['terms']['activationKeyLists']
}

/** Keys with copy buttons. A long list scrolls, so that the buttons below stay visible. */
export function LicenseKeys({ keys }: Props) {
  const { t } = useTranslation('licenses')
  const number = new Intl.NumberFormat(useLocale())
  if (keys.length === 0) return <p>{t('key.none')}</p>

  return (
    <ul className={classes.keys} aria-label={t('key.list')}>
      {keys.map(({ activationKey, codeStatus, seats, activeDevices }) => (
        <li key={activationKey} data-revoked={codeStatus === 'revoked' || undefined}>
          <CopyableCode code={activationKey} label={t('key.key')} />
          {codeStatus === 'revoked' ? (
            <StatusDot tone="off">{t('end.revoked')}</StatusDot>
          ) : (
            <StatusDot tone={activeDevices < seats ? 'good' : 'off'}>
              {t('key.free', {
                free: number.format(Math.max(0, seats - activeDevices)),
                seats: number.format(seats),
              })}
            </StatusDot>
          )}
        </li>
      ))}
    </ul>
  )
}
