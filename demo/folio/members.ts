import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'

/** Telephone numbers are of ranges kept free for fiction, where a country has one. */
export function* memberRecords(today: Date): Generator<FolioRecord> {
  yield person('ada', 'Ada Lindqvist', 'US', '+1 415 555 0132', 'Lindqvist Design Studio')
  yield person('grace', 'Grace Hoffmann', 'DE', '+49 30 23125 014', 'Hoffmann & Partner Steuerberatung')
  yield person('linus', 'Linus Okafor', 'AU', '+61 2 5550 0134', 'Okafor Architects')
  yield {
    ...person('mina', 'Mina Haddad', 'FR', '+33 1 99 00 42 17', 'Atelier Rivoli'),
    grantLoginExpireTime: Math.trunc(daysBefore(today, -30, 9).getTime() / 1000),
  }
  yield person('omar', 'Omar Reyes', 'GB', '+44 161 496 0142', 'Northgate Legal LLP')
  yield person('pia', 'Pia Moreau', 'CA', '+1 514 555 0119', 'Moreau Éditions')
  yield person('yuki', 'Yuki Tanaka', 'JP', '+81 90 0000 0142', '株式会社みどり文庫')
  yield person('vera', 'Vera Sokolova', 'RU', '+7 495 000 01 42', 'Издательство «Северный ветер»')
  yield person('noor', 'Noor Aziz', 'NL', '', '')
  yield person('kai', 'Kai Winters', 'US', '+1 206 555 0163', 'Winters Managed IT')
  yield person('sofia', 'Sofia Ruiz', 'US', '+1 206 555 0164', 'Winters Managed IT')
  yield person('theo', 'Theo Brandt', 'US', '+1 206 555 0165', 'Winters Managed IT')
  yield person('uma', 'Uma Rao', 'US', '+1 206 555 0166', 'Winters Managed IT')
  yield person('bulk', 'Bruno Ulka', 'US', '+1 312 555 0188', 'Meridian Insurance Group')
}

/** A support agent, who has an account and is not a customer. Mina lets support in. */
export const supportAgent = person('sam.support', 'Sam Okoye', 'US', '', '')

function person(name: string, fullName: string, country: string, phone: string, company: string) {
  const [firstName = '', lastName = ''] = fullName.split(' ')
  return { type: 'member', email: `${name}@folio.test`, firstName, lastName, phone, company, country } as const
}
