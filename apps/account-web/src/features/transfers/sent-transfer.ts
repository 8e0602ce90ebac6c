import { z } from 'zod'
import { sentRequests } from '../../page/sent-requests.ts'

const SentTransfer = z.object({
  email: z.string(),
  verificationCodeForCurrent: z.string(),
  verificationCodeForRecipient: z.string(),
  /** Idempotency key. */
  key: z.string(),
})
export type SentTransfer = z.output<typeof SentTransfer>

/** A transfer whose answer is not there yet. */
export const sentTransfer = sentRequests('sent-transfer', SentTransfer)
