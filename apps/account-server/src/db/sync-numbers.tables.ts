import { account } from './schema-name.ts'

/**
 * Drawn before the provider is read. What was read under a lower number than the row has is older, or as new at most, and is
 * dropped: the last change's event comes after it, so the highest number has read the last state.
 */
export const syncNumbers = account.sequence('sync_numbers')
