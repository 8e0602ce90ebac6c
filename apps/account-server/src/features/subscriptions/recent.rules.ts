const recentDays = 3

/**
 * Whether something happened so recently that it is news. Webhooks are repeated for three days; what is older was there before
 * Atrium heard of it, and is taken over without emails.
 */
export function isRecent(date: Date, now: Date): boolean {
  return now.getTime() - date.getTime() <= recentDays * 86_400_000
}
