import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { cardSettings } from './cards.tables.ts'
import { defaultRetries, type RetrySettings } from './retries.rules.ts'

export async function retrySettings(db: Reader): Promise<RetrySettings> {
  const [row] = await db.select().from(cardSettings)
  return row ? { retryDays: row.retryDays, afterRetries: row.afterRetries } : defaultRetries
}

export async function saveRetrySettings(db: Db, settings: RetrySettings): Promise<void> {
  await db.insert(cardSettings).values(settings).onConflictDoUpdate({ target: cardSettings.id, set: settings })
}
