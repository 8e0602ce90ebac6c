import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'
import { keyOf } from './sequence.ts'

type License = Extract<FolioRecord, { type: 'license' }>
type Contact = Extract<FolioRecord, { type: 'license-contact' }>

interface Kept {
  id: string
  license: Omit<License, 'type' | 'licenseId' | 'created'>
  /** Days ago. */
  created: number
  contacts: readonly (readonly [name: string, relationship: Contact['relationship'], userRole?: Contact['userRole']])[]
  /** Devices that each key may activate; left out: no keys. */
  keys?: readonly (number | 'revoked')[]
}

/** What the cast holds: subscribed, perpetual, expired, and what they are only contacts of. */
export function* licenseRecords(today: Date): Generator<FolioRecord> {
  for (const entry of [...subscribed(), ...owned(today)]) yield* recordsOf(entry, today)
}

/** Key of a license of the cast, as the devices name it. */
export function keyOfLicense(licenseId: string, index: number): string {
  return keyOf(Number.parseInt(licenseId.slice(-4), 10) || 10, licenseId, index)
}

function subscribed(): Kept[] {
  const windows = { version: '14', edition: 'Business', language: 'Multilingual', platform: 'Windows, Mac' }
  const cloud = { version: '', edition: '', language: 'Multilingual', platform: 'Web' }
  const of = (subscriptionId: string, facts: object) =>
    ({ subscriptionId, activationMethod: 'email', ...facts }) as const
  return [
    { id: 'L-2026-0412', license: of('ada-editor', windows), created: 120, contacts: [['ada', 'Holder', 'bill']] },
    { id: 'L-2026-1101', license: of('ada-esign', cloud), created: 251, contacts: [] },
    { id: 'L-2026-1117', license: of('ada-assistant', cloud), created: 64, contacts: [] },
    { id: 'L-2026-1118', license: of('ada-redact', cloud), created: 9, contacts: [] },
    { id: 'L-2025-0930', license: of('grace-editor', windows), created: 371, contacts: [] },
    {
      id: 'L-2026-0104',
      license: of('linus-suite', { ...windows, edition: 'Individual' }),
      created: 320,
      contacts: [],
    },
    { id: 'L-2026-0507', license: of('ada-server', { ...cloud, platform: 'Linux' }), created: 200, contacts: [] },
    { id: 'L-2026-0706', license: of('omar-partner', windows), created: 140, contacts: [] },
    { id: 'L-2026-0913', license: of('linus-esign', cloud), created: 71, contacts: [] },
    { id: 'L-2026-1120', license: of('grace-studio', windows), created: 3, contacts: [] },
    { id: 'L-2026-0620', license: of('yuki-cloud', cloud), created: 140, contacts: [] },
    { id: 'L-2026-0424', license: of('omar-editor', windows), created: 210, contacts: [['ada', 'Contact', 'ship']] },
    {
      id: 'L-2025-1016',
      license: of('vera-education', { ...windows, edition: 'Education' }),
      created: 400,
      contacts: [],
    },
  ]
}

function owned(today: Date): Kept[] {
  const until = (days: number) => Math.trunc(daysBefore(today, -days, 9).getTime() / 1000)
  const license = (productCode: string, seats: number, expirationDate: number, others: Partial<License> = {}) => ({
    productCode,
    seats,
    expirationDate,
    version: '13.1',
    edition: 'Standard',
    language: 'English',
    platform: 'Windows',
    activationMethod: 'keycode' as const,
    ...others,
  })
  const mac = { platform: 'Mac', version: '13.0' }
  const old = { version: '11.2' }

  return [
    {
      id: 'L-2025-0010',
      license: license('FPETW', 25, 0, { edition: 'Team', language: 'Multilingual' }),
      created: 430,
      contacts: [['ada', 'Holder', 'commercial']],
      keys: [3, 10, 12],
    },
    {
      id: 'L-2024-0011',
      license: license('FPE', 5, 0, { ...old, acLiceId: 'AC-88213' }),
      created: 902,
      contacts: [['ada', 'Holder', 'bill']],
      keys: [5],
    },
    {
      id: 'L-2023-0012',
      license: license('FPE', 2, until(-240), old),
      created: 1335,
      contacts: [['ada', 'Holder']],
      keys: [2, 'revoked'],
    },
    {
      id: 'L-2026-0013',
      license: license('FPM', 3, 0, mac),
      created: 75,
      contacts: [['ada', 'Holder', 'bill']],
      keys: [3],
    },
    {
      id: 'L-2025-0014',
      license: license('PMM', 1, until(48), mac),
      created: 317,
      contacts: [['ada', 'Holder']],
      keys: [1],
    },
    {
      id: 'L-2025-0015',
      license: license('FPETM', 10, 0, { ...mac, edition: 'Team' }),
      created: 500,
      contacts: [
        ['ada', 'Partner', 'sold'],
        ['grace', 'Holder', 'bill'],
      ],
      keys: [10],
    },
    {
      id: 'L-2022-0016',
      license: license('FPE', 1, 0, old),
      created: 1600,
      contacts: [['linus', 'Holder']],
      keys: [1],
    },
    {
      id: 'L-2025-0017',
      license: license('FPETW', 40, until(500), { edition: 'Team' }),
      created: 230,
      contacts: [
        ['omar', 'Holder', 'commercial'],
        ['mina', 'Contact', 'ship'],
      ],
      keys: [40],
    },
    {
      id: 'L-2024-0018',
      license: license('FPE', 2, 0, { language: 'Japanese' }),
      created: 700,
      contacts: [['yuki', 'Holder', 'bill']],
      keys: [2],
    },
    {
      id: 'L-2024-0019',
      license: license('FPE', 3, 0, { language: 'Russian', acLiceId: 'AC-90411' }),
      created: 811,
      contacts: [['vera', 'Holder', 'bill']],
      keys: [3],
    },
  ]
}

function* recordsOf({ id, license, created, contacts, keys = [] }: Kept, today: Date): Generator<FolioRecord> {
  yield { type: 'license', licenseId: id, created: daysBefore(today, created, 11).toISOString(), ...license }
  for (const [name, relationship, userRole = ''] of contacts) {
    yield { type: 'license-contact', licenseId: id, email: `${name}@folio.test`, relationship, userRole }
  }
  for (const [index, seats] of keys.entries()) {
    const key = { type: 'license-key', key: keyOfLicense(id, index), licenseId: id } as const
    yield seats === 'revoked' ? { ...key, revoked: daysBefore(today, 200).toISOString() } : { ...key, seats }
  }
}
