import { type AccessDuration, accessDurations } from '@atrium/contract/security.ts'
import { monthsLater } from '../../db/calendar.rules.ts'
import { epochSeconds } from '../../db/members.rules.ts'

/** The length of each duration in calendar units, which preserve the time of day. */
const lengths: Readonly<Record<Exclude<AccessDuration, 'none'>, { days?: number; months?: number }>> = {
  '1w': { days: 7 },
  '1m': { months: 1 },
  '3m': { months: 3 },
  '6m': { months: 6 },
  '1y': { months: 12 },
}

/** The end of access that starts now; null for No Access. */
export function accessEnd(duration: AccessDuration, now: Date): Date | null {
  if (duration === 'none') return null
  const { days = 0, months = 0 } = lengths[duration]

  const end = monthsLater(now, months)
  end.setUTCDate(end.getUTCDate() + days)
  end.setUTCMilliseconds(0)
  return end
}

/** All choices with the end that would be stored now, so that the dialog shows the server's values. */
export function accessChoices(now: Date) {
  return accessDurations.map((duration) => {
    const end = accessEnd(duration, now)
    return { duration, expireTime: end === null ? 0 : epochSeconds(end) }
  })
}
