import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { useTranslation } from 'react-i18next'
import classes from './team.module.css'

interface Props {
  /** Seats in use. */
  used: number
  /** Seats that invitations hold until accepted or expired. */
  held: number
  /** Seats paid. */
  total: number
}

/** How many seats of a subscription are used, held and free. */
export function SeatUse({ used, held, total }: Props) {
  const { t } = useTranslation('team')
  const number = new Intl.NumberFormat(useLocale())
  const words = [
    t('seats.used', { used: number.format(used), count: total }),
    ...(held > 0 ? [t('seats.held', { count: held })] : []),
    t('seats.free', { count: Math.max(0, total - used - held) }),
  ]

  return (
    <div className={classes.seats}>
      <SeatBar taken={used} held={held} total={total} />
      <p>{words.join(' · ')}</p>
    </div>
  )
}
