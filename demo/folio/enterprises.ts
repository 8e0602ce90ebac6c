import type { FolioRecord } from './record.ts'

/** Organizations with an admin console of their own; the others use the vendor's. */
export function* enterpriseRecords(): Generator<FolioRecord> {
  const console = (name: string) => `https://manage.folio.test/${name}`
  yield { type: 'enterprise', orgCode: 'ORG-ADA', name: 'Lindqvist Design Studio', consoleUrl: console('lindqvist') }
  yield { type: 'enterprise', orgCode: 'ORG-OMAR', name: 'Northgate Legal LLP' }
  yield { type: 'enterprise', orgCode: 'ORG-KAI', name: 'Winters Managed IT' }
}
