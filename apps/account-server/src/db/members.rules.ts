/** Epoch seconds of a running grant; 0 where none was given or it is over. */
export function grantedUntil(end: Date | null, now: Date): number {
  return end !== null && end > now ? epochSeconds(end) : 0
}

export function epochSeconds(date: Date): number {
  return Math.trunc(date.getTime() / 1000)
}
