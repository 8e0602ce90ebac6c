import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { useTranslation } from 'react-i18next'
import classes from './team.module.css'

interface Props {
  /** Seats that somebody uses. */
  used: number
  /** Seats that invitations hold until they are accepted, or end. */
  held: number
  /** Seats paid. */
  total: number
}

/** How many seats of a subscription are in use, how many are promised, and how many are left. */
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
