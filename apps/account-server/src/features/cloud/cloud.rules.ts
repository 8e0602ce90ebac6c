import { type CloudAccount, personalId, type Region, regions } from '@atrium/contract/cloud.ts'
import type { AccountConfig } from '../../config.ts'

type CloudSettings = Pick<AccountConfig, 'CLOUD_URL_US' | 'CLOUD_URL_EU' | 'CLOUD_URL_CA' | 'CLOUD_URL_AU'>

/** The cloud service of a region; undefined: the vendor has none there. */
export function cloudUrl(config: CloudSettings, region: Region): string | undefined {
  const urls = { us: config.CLOUD_URL_US, eu: config.CLOUD_URL_EU, ca: config.CLOUD_URL_CA, au: config.CLOUD_URL_AU }
  return urls[region]
}

export function offeredRegions(config: CloudSettings): Region[] {
  return regions.filter((region) => cloudUrl(config, region) !== undefined)
}

interface Stored {
  region: Region | null
  userTypeId: string | null
  enterprises: readonly { id: string; name: string }[]
}

export function cloudAccountOf({ region, userTypeId, enterprises }: Stored, config: CloudSettings): CloudAccount {
  const userTypes = [{ id: personalId, name: '' }, ...enterprises]
  const last = userTypes.find(({ id }) => id === userTypeId)
  return {
    region: region ?? '',
    regions: offeredRegions(config),
    userTypes,
    userTypeId: last?.id ?? personalId,
  }
}

interface Launch {
  /** The address of the service, for which the ticket was issued. */
  service: string
  ticket: string | undefined
  /** The page of ours to which the service can lead back. */
  from: string
  userTypeId: string
}

/** The redirect to a cloud service (001 §6, §7). */
export function launchUrl({ service, ticket, from, userTypeId }: Launch): string {
  const url = new URL(service)
  if (ticket !== undefined) url.searchParams.set('ticket', ticket)
  url.searchParams.set('casService', service)
  url.searchParams.set('from', from)
  if (userTypeId !== personalId) url.searchParams.set('enterpriseId', userTypeId)
  return url.href
}

/** With a CAS server of the vendor's own, nobody issues tickets to us: the cloud service signs people in there itself. */
export function hasOwnSignOn({ PASSWORD_URL }: Pick<AccountConfig, 'PASSWORD_URL'>): boolean {
  return PASSWORD_URL === undefined
}
