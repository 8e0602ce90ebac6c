import type { BehaviorName } from './behavior.rules.ts'

export interface TestCard {
  brand: string
  funding: 'credit' | 'debit' | 'prepaid'
  country: string
  behavior: BehaviorName
}

const card = (brand: string, more: Partial<TestCard> = {}): TestCard => ({
  brand,
  funding: 'credit',
  country: 'US',
  behavior: 'succeeds',
  ...more,
})

const visa = (behavior: BehaviorName): TestCard => card('visa', { behavior })
const abroad = (country: string): TestCard => card('visa', { country })

/** The provider's documented test cards, by number. */
const cardsByNumber: Readonly<Record<string, TestCard>> = {
  '4242424242424242': card('visa'),
  '4000056655665556': card('visa', { funding: 'debit' }),
  '5555555555554444': card('mastercard'),
  '2223003122003222': card('mastercard'),
  '5200828282828210': card('mastercard', { funding: 'debit' }),
  '5105105105105100': card('mastercard', { funding: 'prepaid' }),
  '378282246310005': card('amex', { behavior: 'cannotBeAsked' }),
  '371449635398431': card('amex', { behavior: 'cannotBeAsked' }),
  '6011111111111117': card('discover'),
  '6011000990139424': card('discover'),
  '6011981111111113': card('discover', { funding: 'debit' }),
  '3056930009020004': card('diners'),
  '36227206271667': card('diners'),
  '3566002020360505': card('jcb', { country: 'JP' }),
  '6200000000000005': card('unionpay', { country: 'CN' }),
  '4000002760000016': abroad('DE'),
  '4000008260000000': abroad('GB'),
  '4000002500000003': abroad('FR'),
  '4000003800000008': abroad('IT'),
  '4000007240000007': abroad('ES'),
  '4000005280000002': abroad('NL'),
  '4000006200000007': abroad('PT'),
  '4000001240000000': abroad('CA'),
  '4000000360000006': abroad('AU'),
  '4000003920000003': abroad('JP'),
  '4000000760000002': abroad('BR'),

  '4000000000000002': visa('declines'),
  '4000000000009995': visa('declinesForFunds'),
  '4000000000009987': visa('declinesAsLost'),
  '4000000000009979': visa('declinesAsStolen'),
  '4000000000000069': visa('declinesAsExpired'),
  '4000000000000127': visa('declinesForCvc'),
  '4000000000000119': visa('breaks'),
  '4000000000006975': visa('declinesForFrequency'),
  '4000000000000341': visa('declinesLater'),
  '4100000000000019': visa('declinesAsFraud'),
  '4000000000000101': visa('failsCvcCheck'),

  '4000002500003155': card('visa', { behavior: 'asksUnlessSetUp', country: 'FR' }),
  '4000002760003184': card('visa', { behavior: 'asksAlways', country: 'DE' }),
  '4000003800000446': card('visa', { behavior: 'asksInPerson', country: 'IT' }),
  '4000008260003178': card('visa', { behavior: 'asksThenLacksFunds', country: 'GB' }),
  '4000000000003220': visa('asksUnlessSetUp'),
  '4000000000003063': visa('asksUnlessSetUp'),
  '4000008400001629': visa('asksThenDeclines'),
  '4000008400001280': visa('breaksWhenAsked'),
  '4000000000003055': visa('asksOnRequest'),
  '4000000000003097': visa('breaksOnRequest'),
}

/** Predefined payment methods, by the suffix of `pm_card_` and `tok_`. */
const numbersByToken: Readonly<Record<string, string>> = {
  visa: '4242424242424242',
  visa_debit: '4000056655665556',
  mastercard: '5555555555554444',
  mastercard_debit: '5200828282828210',
  mastercard_prepaid: '5105105105105100',
  amex: '378282246310005',
  discover: '6011111111111117',
  diners: '3056930009020004',
  jcb: '3566002020360505',
  unionpay: '6200000000000005',
  de: '4000002760000016',
  gb: '4000008260000000',
  fr: '4000002500000003',
  it: '4000003800000008',
  es: '4000007240000007',
  nl: '4000005280000002',
  pt: '4000006200000007',
  ca: '4000001240000000',
  au: '4000000360000006',
  jp: '4000003920000003',
  br: '4000000760000002',
  visa_chargeDeclined: '4000000000000002',
  chargeDeclined: '4000000000000002',
  visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  chargeDeclinedInsufficientFunds: '4000000000009995',
  visa_chargeDeclinedLostCard: '4000000000009987',
  visa_chargeDeclinedStolenCard: '4000000000009979',
  chargeDeclinedExpiredCard: '4000000000000069',
  chargeDeclinedIncorrectCvc: '4000000000000127',
  chargeDeclinedProcessingError: '4000000000000119',
  visa_chargeDeclinedVelocityLimitExceeded: '4000000000006975',
  chargeCustomerFail: '4000000000000341',
  radarBlock: '4100000000000019',
  cvcCheckFail: '4000000000000101',
  authenticationRequiredOnSetup: '4000002500003155',
  authenticationRequired: '4000002760003184',
  authenticationRequiredSetupForOffSession: '4000003800000446',
  authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  threeDSecure2Required: '4000000000003220',
  threeDSecureRequired: '4000000000003063',
  threeDSecureRequiredChargeDeclined: '4000008400001629',
  threeDSecureRequiredProcessingError: '4000008400001280',
  threeDSecureOptional: '4000000000003055',
  threeDSecureOptionalProcessingError: '4000000000003097',
}

export function testCard(number: string): TestCard | undefined {
  return Object.hasOwn(cardsByNumber, number) ? cardsByNumber[number] : undefined
}

/** The number of `pm_card_visa` or `tok_visa`; `undefined` for any other text. */
export function numberOfToken(token: string): string | undefined {
  const [, name = ''] = /^(?:pm_card|tok)_(\w+)$/.exec(token) ?? []
  return Object.hasOwn(numbersByToken, name) ? numbersByToken[name] : undefined
}
