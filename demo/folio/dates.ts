/** A moment some days before (or, negative, after) a day, at a time of day in UTC. */
export function daysBefore(today: Date, days: number, hour = 0, minute = 0): Date {
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - days, hour, minute))
}
