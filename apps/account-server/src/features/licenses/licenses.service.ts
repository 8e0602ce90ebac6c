import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { License, listLicenses } from '@atrium/contract/licenses.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import { managesTeam, typeSeenBy } from '../subscriptions/seats.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { keycodeFile } from './keycode-file.ts'
import { licensedProducts, pageOfLicenses } from './license-list.queries.ts'
import { keysOfLicense, licenseOfMember } from './licenses.queries.ts'
import { licenseActions, maskKey, requireHeld } from './licenses.rules.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>
type Query = EndpointInput<typeof listLicenses>['query']

const noFilters = { status: undefined, range: undefined, keyWord: '' }

/** Products of the member's licenses: the tabs and selects (000 §7). */
export async function licensedProductsOf(deps: Needs, member: Member, { from }: Pick<Query, 'from'>) {
  const found = await licensedProducts(deps.db, { ...noFilters, from, member, access: accessNow(deps) })
  return { list: found.map(({ sku, name, icon }) => ({ sku, name, icon })) }
}

/** The member's licenses of one product, and the count of each product (000 §7). */
export async function licensesOf(
  deps: Needs,
  member: Member,
  query: Query,
): Promise<EndpointAnswer<typeof listLicenses>> {
  const { page, pageSize, status, range, keyWord, from } = query
  const asked = { status, range, keyWord, from, member, access: accessNow(deps) }
  const counts = await licensedProducts(deps.db, asked)
  const chosen = counts.find(({ sku }) => sku === query.sku) ?? counts[0]
  const rows = chosen
    ? await pageOfLicenses(deps.db, { ...asked, sku: chosen.sku, limit: pageSize, offset: (page - 1) * pageSize })
    : []
  const list = rows.map((row) => licenseFrom(row, member, deps.config.DOWNLOAD_HOSTS))

  return {
    sku: chosen?.sku ?? '',
    total: counts.reduce((sum, { total }) => sum + total, 0),
    licenses: Object.fromEntries(
      counts.map(({ sku, matching }) => [sku, { list: sku === chosen?.sku ? list : [], totalLicenseIdNum: matching }]),
    ),
  }
}

type Row = Awaited<ReturnType<typeof pageOfLicenses>>[number]

function licenseFrom(row: Row, member: Member, downloadHosts: readonly string[]): License {
  const managesUsers = row.subscriptionId !== null && managesTeam(typeSeenBy(member, row.ownSeatType))
  return {
    licenseId: row.id,
    productCode: row.productCode,
    productName: row.productName,
    version: row.version,
    language: row.language,
    edition: row.edition,
    platform: row.platform,
    totalLicenseNum: row.seats,
    expirationDate: row.expirationDate,
    createDate: row.createdAt.toISOString(),
    status: row.isValid ? 'valid' : 'expired',
    relationship: row.relationship,
    userRole: row.userRole ?? '',
    acConvertInfo: row.acLiceId === '' ? null : { acLiceId: row.acLiceId },
    terms: {
      activationMethod: row.activationMethod,
      activationKey: row.firstKey ? maskKey(row.firstKey.key) : '',
      codeStatus: row.firstKey && (row.firstKey.isRevoked ? 'revoked' : 'active'),
    },
    downloadUrl: Object.fromEntries(
      row.downloads
        .map(({ platform, url }) => [platform, allowedLink(url, downloadHosts)] as const)
        .filter(([, url]) => url !== ''),
    ),
    subId: row.subscriptionId,
    subUserInfo: managesUsers && row.userCount ? { joinCount: row.seatsTaken, userCount: row.userCount } : null,
    actions: licenseActions({ ...row, userRole: row.userRole ?? '', managesUsers }),
  }
}

/** The keys of a license as a file, without revoked ones, only for its Holder. */
export async function keycodeFileOf(deps: Needs, member: Member, licenseId: string) {
  const license = requireHeld(await licenseOfMember(deps.db, member, licenseId, accessNow(deps)))
  const keys = await keysOfLicense(deps.db, licenseId)
  const text = keycodeFile({
    ...license,
    licenseId,
    holder: `${member.firstName} ${member.lastName} <${member.email}>`,
    keys: keys.filter(({ revokedAt }) => revokedAt === null).map(({ key }) => key),
  })
  return { content: Buffer.from(text).toString('base64'), filename: `keycodes-${licenseId}.txt` }
}
