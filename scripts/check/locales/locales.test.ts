import { expect, test } from 'vitest'
import { partedMarks, partedNumbers, textFaults } from './comparison.ts'
import { usageFaults } from './usage.ts'

function texts(entries: Record<string, string>) {
  return new Map(Object.entries(entries))
}

const english = texts({
  'orders:title': 'My Orders',
  'orders:empty': 'No orders. <1>Contact sales</1>',
  'orders:of': 'Orders of {{name}}',
  'orders:found_one': '{{count}} order',
  'orders:found_other': '{{count}} orders',
  'orders:none': '-',
})

const german = {
  'orders:title': 'Bestellungen',
  'orders:empty': 'Keine Bestellungen. <1>Vertrieb kontaktieren</1>',
  'orders:of': 'Bestellungen von {{name}}',
  'orders:found_one': '{{count}} Bestellung',
  'orders:found_other': '{{count}} Bestellungen',
  'orders:none': '-',
}

function faultsOf(changes: Record<string, string | undefined>, language = 'de-de', sameAsEnglish: string[] = []) {
  const merged = Object.entries({ ...german, ...changes }).filter(([, text]) => text !== undefined)
  return textFaults({ language, english, texts: texts(Object.fromEntries(merged)), sameAsEnglish })
}

test('a complete language has no faults', () => {
  expect(faultsOf({})).toEqual([])
})

test.each([
  ['a missing key', { 'orders:title': undefined }, 'orders:title is missing'],
  ['a key that English does not have', { 'orders:old': 'Alt' }, 'orders:old is not in English'],
  ['a missing plural form', { 'orders:found_one': undefined }, 'orders:found_one is missing'],
  [
    'a plural form that the language does not have',
    { 'orders:found_few': '{{count}} x' },
    'orders:found_few is not in English',
  ],
  ['a lost placeholder', { 'orders:of': 'Bestellungen' }, 'has the placeholders none for {{name}}'],
  ['a misspelt placeholder', { 'orders:of': 'Von {{nane}}' }, 'has the placeholders {{nane}} for {{name}}'],
  ['a lost tag', { 'orders:empty': 'Keine <1>Bestellungen' }, 'has the tags <1> for </1> <1>'],
  ['a text still in English', { 'orders:title': 'My Orders' }, 'orders:title is still in English'],
  ['an empty text', { 'orders:title': ' ' }, 'orders:title is empty'],
  ['spaces around a text', { 'orders:title': 'Bestellungen ' }, 'has spaces around it'],
])('%s is a fault', (_fault, changes, sentence) => {
  expect(faultsOf(changes).join()).toContain(sentence)
})

test('a text may stay as in English if it is listed, and an outdated listing is a fault', () => {
  expect(faultsOf({ 'orders:title': 'My Orders' }, 'de-de', ['orders:title'])).toEqual([])
  expect(faultsOf({}, 'de-de', ['orders:title']).join()).toContain('differs from English')
})

test('a count that a line may part from its noun is a fault, but in an email', () => {
  const parted = texts({ 'orders:found_other': '{{count}} Bestellungen', 'team-mail:found_other': '{{count}} Plätze' })
  expect(partedNumbers('de-de', parted)).toEqual([expect.stringContaining('orders:found_other parts {{count}}')])
  expect(partedNumbers('de-de', texts({ 'orders:found_other': '{{count}}\u00a0Bestellungen' }))).toEqual([])
})

test('a French colon that a line may part from its word is a fault', () => {
  const parted = texts({
    'orders:due': 'Montant dû : {{amount}}',
    'orders:say': '« oui »',
    'orders:fine': 'Dû\u00a0: 5',
  })
  expect(partedMarks('fr-fr', parted)).toEqual([
    expect.stringContaining('orders:due parts'),
    expect.stringContaining('orders:say parts'),
  ])
  expect(partedMarks('de-de', parted)).toEqual([])
})

test('Russian needs its four plural forms, Japanese its one', () => {
  const forms = { 'orders:found_few': '{{count}} заказа', 'orders:found_many': '{{count}} заказов' }

  expect(faultsOf(forms, 'ru-ru')).toEqual([])
  expect(faultsOf({ 'orders:found_few': forms['orders:found_few'] }, 'ru-ru').join()).toContain(
    'orders:found_many is missing',
  )
  expect(faultsOf({ 'orders:found_one': undefined }, 'ja-jp')).toEqual([])
  expect(faultsOf({}, 'ja-jp').join()).toContain('orders:found_one is not in English')
})

function usage(source: string, dynamicKeys: string[] = []) {
  return usageFaults({ english, sources: [{ file: 'orders-screen.tsx', source }], dynamicKeys })
}

const uses = `const { t } = useTranslation('orders')
  t('title'); t('of', { name }); t('found', { count }); t('none')
  return <Trans t={t} i18nKey="empty" />`

test.each([
  ["const { t: list } = useTranslation('orders'); list('gone')", 'uses the key gone'],
  ["const { t: page, i18n } = useTranslation('frame'); page('title')", 'uses the key title'],
  ["const words = { pageText: serverTexts(folder, 'orders') }; pageText('gone')", 'uses the key gone'],
])('a key that is missing under another name for `t` is a fault: %s', (source, sentence) => {
  expect(usage(`${uses}\n${source}`).join()).toContain(sentence)
})

test('code that uses every key has no faults', () => {
  expect(usage(uses)).toEqual([])
})

test('a key that nothing uses is a fault', () => {
  expect(usage(uses.replace("t('title');", ''))).toEqual(['orders:title is used nowhere.'])
  expect(usage(uses.replace("t('title');", "// t('title')\n"))).toEqual(['orders:title is used nowhere.'])
})

test('a used key that does not exist is a fault', () => {
  expect(usage(`${uses}; t('missing')`).join()).toContain('uses the key missing')
  expect(usage(`${uses}; t('profile:title')`).join()).toContain('uses the key profile:title')
})

test('a key of another namespace is named with it', () => {
  expect(usage(uses.replace("t('title');", '')).length).toBe(1)
  expect(
    usageFaults({
      english,
      sources: [
        { file: 'a.tsx', source: uses.replace("t('title');", '') },
        { file: 'b.tsx', source: "const { t } = useTranslation('frame'); t('orders:title')" },
      ],
      dynamicKeys: [],
    }),
  ).toEqual([])
})

test('without a name, the namespace is the default of that app', () => {
  const languages = { file: 'apps/sso/web/texts.ts', source: "init({ defaultNS: 'orders' })" }
  const screen = uses.replace("useTranslation('orders')", 'useTranslation()')
  const inApp = (app: string) => [languages, { file: `apps/${app}/web/screen.tsx`, source: screen }]

  expect(usageFaults({ english, sources: inApp('sso'), dynamicKeys: [] })).toEqual([])
  expect(usageFaults({ english, sources: inApp('other'), dynamicKeys: [] })).not.toEqual([])
})

test('several namespaces of one file all count', () => {
  expect(usage(uses.replace("'orders'", "['frame', 'orders']"))).toEqual([])
})

test('an empty string before a key does not hide it', () => {
  expect(usage(uses.replace("t('title')", "name === '' ? t('title') : ''"))).toEqual([])
})

test('a key chosen between two counts for both', () => {
  expect(
    usage(uses.replace("t('title'); t('none')", '').replace("t('none')", "t(isEmpty ? 'none' : 'title')")),
  ).toEqual([])
})

test('a key made of parts counts as all keys it matches, and must match at least one', () => {
  const grouped = texts({ 'frame:tabs.orders': 'Orders', 'frame:tabs.profile': 'Profile', 'frame:other': 'Other' })
  const source = ["const { t } = useTranslation('frame'); t('other'); t(`tabs.$", '{name}`)'].join('')
  const wrong = source.replace('tabs.', 'tab.')

  expect(usageFaults({ english: grouped, sources: [{ file: 'a.tsx', source }], dynamicKeys: [] })).toEqual([])
  expect(usageFaults({ english: grouped, sources: [{ file: 'a.tsx', source: wrong }], dynamicKeys: [] })).toHaveLength(
    3,
  )
})

test('a documented prefix counts as used, and must match a key', () => {
  const without = uses.replace("t('title');", '')

  expect(usage(without, ['orders:ti'])).toEqual([])
  expect(usage(uses, ['orders:gone']).join()).toContain('names orders:gone')
})
