import type { KeyCode } from '@atrium/contract/licenses.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { useTranslation } from 'react-i18next'
import classes from './devices.module.css'

/** How many devices of a key are active, of how many it may activate. */
export function ActiveDevices({ keyCode: { activeDevices, seats } }: { keyCode: KeyCode }) {
  const { t } = useTranslation('devices')
  const number = new Intl.NumberFormat(useLocale())
  return (
    <div className={classes.seats}>
      <span className="figures">
        {t('manage.activeOf', { active: number.format(activeDevices), seats: number.format(seats) })}
      </span>
      <SeatBar taken={activeDevices} total={seats} />
    </div>
  )
}
