import type * as contract from '@atrium/contract/devices.ts'
import type { EndpointAnswer } from '@atrium/contract/endpoint.ts'
import type { KeyCode, readLicenseKeys } from '@atrium/contract/licenses.ts'
import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { codeStatusOf, licenseOfMember } from '../licenses/licenses.queries.ts'
import { maskKey, requireHeld } from '../licenses/licenses.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { foundKeysOf } from './found-keys.queries.ts'
import { keysByFreeSeats, pageOfKeys } from './license-keys.queries.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>

/** Get The Key (000 §6), only for the Holder. */
export async function keysOf(
  deps: Needs,
  member: Member,
  licenseId: string,
): Promise<EndpointAnswer<typeof readLicenseKeys>> {
  const license = requireHeld(await licenseOfMember(deps.db, member, licenseId, accessNow(deps)))
  const { firstKey } = license
  const keys = await keysByFreeSeats(deps.db, licenseId)
  return {
    productName: license.productName,
    terms: {
      activationMethod: license.activationMethod,
      activationKey: firstKey?.key ?? '',
      activationKeyLists: keys.map(({ key, revokedAt, seats, activeDevices }) => ({
        activationKey: key,
        codeStatus: codeStatusOf(revokedAt),
        seats,
        activeDevices,
      })),
      codeStatus: firstKey && (firstKey.isRevoked ? 'revoked' : 'active'),
    },
  }
}

/** The masked keys of a license for its Holder (000 §7). */
export async function keyCodesOf(
  deps: Needs,
  member: Member,
  licenseId: string,
  query: PageQuery,
): Promise<EndpointAnswer<typeof contract.listKeyCodes>> {
  const license = requireHeld(await licenseOfMember(deps.db, member, licenseId, accessNow(deps)))
  const { firstKey, keyCount } = license
  const keys = await pageOfKeys(deps.db, licenseId, query)
  const activationKeyLists = keys.map(keyCodeFrom)
  return {
    productName: license.productName,
    total: keyCount,
    terms: {
      activationMethod: license.activationMethod,
      activationKey: firstKey ? maskKey(firstKey.key) : '',
      activationKeyLists,
      codeStatus: firstKey && (firstKey.isRevoked ? 'revoked' : 'active'),
    },
  }
}

/** The keys that a search found among those of which the member is the Holder. */
export async function foundKeys(
  { db }: Pick<Deps, 'db'>,
  member: Member,
  query: z.output<typeof contract.searchKeys.query>,
): Promise<EndpointAnswer<typeof contract.searchKeys>> {
  const { list, total } = await foundKeysOf(db, member, query)
  return {
    total,
    list: list.map((row) => ({
      ...keyCodeFrom(row),
      licenseId: row.licenseId,
      productName: row.productName,
      computers: row.computers,
      foundDevices: row.foundDevices,
    })),
  }
}

interface KeyRow {
  id: string
  key: string
  revokedAt: Date | null
  seats: number
  activeDevices: number
}

function keyCodeFrom({ id, key, revokedAt, seats, activeDevices }: KeyRow): KeyCode {
  return { code: id, activationKey: maskKey(key), codeStatus: codeStatusOf(revokedAt), seats, activeDevices }
}
