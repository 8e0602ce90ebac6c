import { listMyProducts } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import { newProduct, newSeat, newSubscription } from '../../test/factories.ts'
import { newWorld, type TestMember } from '../../test/world.ts'
import { enterprises } from '../subscriptions/enterprises.tables.ts'

type Row = NonNullable<Parameters<typeof newSubscription>[2]>

const now = '2026-06-01T12:00:00.000Z'
const yesterday = new Date('2026-05-31T12:00:00.000Z')
const ended = { status: 'canceled', autoRenew: false, endedAt: yesterday, periodEnd: yesterday } as const

test('an empty list says why: the server knows who manages a team, who waits for a license, and who has nothing', async () => {
  await using world = await newWorld({ now, settings: { LINK_HOSTS: 'console.example' } })
  const owner = await world.member()
  const withConsole = await newProduct(world, { flags: ['adminConsole'] })
  const plain = await newProduct(world)
  await world.db.insert(enterprises).values([
    { orgCode: 'ORG-OWN', name: 'Own', consoleUrl: 'https://console.example/own' },
    { orgCode: 'ORG-FAR', name: 'Far', consoleUrl: 'https://elsewhere.example/' },
  ])
  const team = async (type: 0 | 1 | 3, row: Row) => {
    const member = await world.member()
    const { id } = await newSubscription(world, owner, row)
    await newSeat(world, id, { memberId: member.id, type, isUse: false })
    const hasTeamUrl = type !== 0 && row.status !== 'canceled' && row.userCount !== 1
    const { body } = await world.as(member).send(listMyProducts, { query: {} })
    expect(body.teamUrl).toBe(hasTeamUrl ? `/account?tab=license-management&subId=${id}` : '')
    // Only the sentences that name the Owner need the address.
    const isNamed = row.status !== 'canceled' && body.blankTip !== 'log_in_admin'
    expect(body.ownerEmail).toBe(isNamed ? owner.email : '')
    return member
  }
  const blank = async (member: TestMember, query: { [name: string]: string } = {}) => {
    const { blankTip, blankButton, blankUrl, list } = (await world.as(member).send(listMyProducts, { query })).body
    expect(list).toEqual([])
    return [blankTip, blankButton, blankUrl]
  }
  const console = world.deps.config.ADMIN_CONSOLE_URL
  const shop = world.deps.config.SITE_URL

  expect(await blank(await team(3, { productCode: withConsole.code }))).toEqual([
    'log_in_admin',
    'admin_console',
    console,
  ])
  expect(await blank(await team(1, { productCode: plain.code, orgCode: 'ORG-OWN' }))).toEqual([
    ...['log_in_admin', 'admin_console', 'https://console.example/own'],
  ])
  expect(await blank(await team(3, { productCode: plain.code, orgCode: 'ORG-FAR' }))).toEqual([
    'log_in_admin_no_button',
    '',
    '',
  ])
  const single = await newProduct(world, { cap: { cap: 1, scope: 'subscription' } })
  expect(await blank(await team(3, { productCode: single.code, userCount: 1 }))).toEqual([
    'log_in_admin_no_button',
    '',
    '',
  ])
  const offline = { origin: 'offline', channel: 'invoice', status: 'offline-purchase' } as const
  expect(await blank(await team(0, { productCode: plain.code, ...offline }))).toEqual(['contact_administrator', '', ''])
  expect(await blank(await team(3, { productCode: withConsole.code, ...ended }))).toEqual([
    'personal_tip',
    'shop',
    `${shop}/shopping`,
  ])
  const nobody = await world.member()
  expect(await blank(nobody, { lang: 'ja-jp' })).toEqual(['personal_tip', 'shop', `${shop}/ja-jp/shopping`])
  expect(await blank(nobody, { lang: 'ru-ru', subscriptionType: '1' })).toEqual(['personal_tip', '', ''])
})
