import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import type { SubscribeDetail } from './team.data.ts'
import classes from './team.module.css'
import { obstacleToAdding } from './team.rules.ts'

/** How many seats of a subscription are used, held by invitations (and until when the first of them is), and free; and if nobody can be added, why. */
export function SeatUse({ detail }: { detail: SubscribeDetail }) {
  const { t } = useTranslation('team')
  const locale = useLocale()
  const number = new Intl.NumberFormat(locale)
  const { userCount: total, joinCount, heldCount: held, heldUntil } = detail
  const used = joinCount - held
  const until = heldUntil && formatDate(locale, new Date(heldUntil), 'UTC')
  const words = [
    t('seats.used', { used: number.format(used), count: total }),
    ...(held > 0 ? [t('seats.heldUntil', { count: held, date: until })] : []),
    t('seats.free', { count: Math.max(0, total - joinCount) }),
  ]

  const obstacle = obstacleToAdding(detail)

  return (
    <div className={classes.seats}>
      <SeatBar taken={used} held={held} total={total} />
      <p>{joinWithDots(words)}</p>
      {obstacle && <p>{t(`add.obstacles.${obstacle}`)}</p>}
    </div>
  )
}
