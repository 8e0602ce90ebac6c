import { dateOfSeconds } from '@atrium/ui/date-format.ts'

/** Whether a grant with this end (epoch seconds; 0 for none) is still active, since it may end while the page is open. */
export function isRunning(expireTime: number, now = new Date()): boolean {
  return dateOfSeconds(expireTime) > now
}
