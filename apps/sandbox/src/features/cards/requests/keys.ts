import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { cardKeys } from '../store/cards.tables.ts'
import { isAllowed, masked, type Right } from '../wire/access.rules.ts'
import { randomText } from '../wire/ids.rules.ts'
import { invalidRequest, type Refusal } from '../wire/refusal.ts'
import { vendorKey, vendorRights } from '../wire/vendor-key.ts'

/** The secret key that every sandbox has. */
const builtIn = 'sk_test_sandbox'

/** The account that all keys belong to. */
export const ownAccount = 'acct_1SandboxFolio'

interface Use {
  key: string
  method: string
  /** Below `/v1`. */
  path: string
}

/** @throws Refusal 401 for a secret key that was never issued, 403 for what a restricted key must not do */
export async function refuseKey(db: Db, { key, method, path }: Use): Promise<void> {
  if (key === builtIn) return
  if (key === vendorKey) {
    if (isAllowed(vendorRights, method, path)) return
    throw withoutRight(key, method, path)
  }
  const [found] = await db.select().from(cardKeys).where(eq(cardKeys.key, key))
  if (!found) throw invalidRequest(`Invalid API Key provided: ${masked(key)}`, { status: 401 })
  if (found.rights === null || isAllowed(found.rights, method, path)) return
  throw withoutRight(key, method, path)
}

function withoutRight(key: string, method: string, path: string): Refusal {
  const [, resource = ''] = path.split('/')
  const needed = `${resource}:${method === 'GET' ? 'read' : 'write'}`
  return invalidRequest(
    `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${ownAccount}'. Having the '${needed}' permission would allow this request to continue.`,
    { status: 403 },
  )
}

/** Issues a secret key, or a restricted one. @param rights null for all */
export async function issueKey(db: Db, rights: Right[] | null): Promise<string> {
  const key = `${rights ? 'rk' : 'sk'}_test_${randomText(24)}`
  await db.insert(cardKeys).values({ key, rights })
  return key
}
