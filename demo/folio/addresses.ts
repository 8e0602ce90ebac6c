import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'

/** Country | state | city | zip | street, newest last: the first one of a member is the default. */
const addressBook: Readonly<Record<string, readonly string[]>> = {
  ada: [
    'US | CA | San Francisco | 94107 | 412 Brannan Street, Suite 300',
    'GB | LND | London | EC1R 4QL | 27 Rosebery Avenue',
    'MY | 14 | Kuala Lumpur | 50450 | Level 12, 183 Jalan Ampang',
    'IN | KA | Bengaluru | 560001 | 14 Church Street, 2nd Floor',
    'JP | 13 | Shibuya-ku | 150-0001 | 4-26-18 Jingumae',
    'DE | BE | Berlin | 10119 | Torstraße 140',
  ],
  grace: ['DE | HH | Hamburg | 20354 | Große Bleichen 21', 'DE | BY | München | 80331 | Sendlinger Straße 8'],
  linus: ['AU | VIC | Melbourne | 3000 | 120 Flinders Lane'],
  mina: ['FR | IDF | Paris | 75004 | 58 rue de Rivoli'],
  omar: ['GB | MAN | Manchester | M2 5DB | 9 St Ann Street', 'GB | LDS | Leeds | LS1 5AA | 31 Park Row'],
  pia: ['CA | QC | Montréal | H2Y 1N9 | 365 rue Saint-Paul Ouest'],
  yuki: ['JP | 13 | 千代田区 | 101-0051 | 神田神保町 1-17', 'JP | 26 | 京都市中京区 | 604-8006 | 河原町通三条下ル 42'],
  vera: ['RU | SPE | Санкт-Петербург | 191025 | Невский проспект, 88'],
  bulk: ['US | IL | Chicago | 60606 | 150 North Wacker Drive, Floor 21'],
}

/** Noor has none. */
export function* addressRecords(today: Date): Generator<FolioRecord> {
  for (const [name, book] of Object.entries(addressBook)) {
    for (const [index, entry] of book.entries()) {
      const [country = '', state = '', city = '', zip = '', address = ''] = entry.split(' | ')
      yield {
        type: 'address',
        addressId: `${name}-${index + 1}`,
        email: `${name}@folio.test`,
        ...{ country, state, city, zip, address },
        created: daysBefore(today, 900 - index * 120, 9).toISOString(),
      }
    }
  }
}
