import { readProfile, updateProfile } from '@atrium/contract/profile.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { internationalPhone } from './profile.rules.ts'

const edit = { firstName: 'Grace', lastName: 'Hopper', company: 'Navy', phone: '030 901820' }

test('a member reads their own profile, with the country names in their language', async () => {
  await using world = await newWorld()
  const member = await world.member({ phone: '(212) 555-0123', countryCode: 'US', company: 'Analytical' })

  const { status, body, headers } = await world.as(member).send(readProfile, { query: { lang: 'de-de' } })

  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body.member).toEqual({
    memEmail: member.email,
    memFirstName: 'Ada',
    memLastName: 'Lindqvist',
    memPhone: '(212) 555-0123',
    memPhoneInternational: '+1 212 555 0123',
    memCompany: 'Analytical',
    memCountryCode: 'US',
    grantLoginExpireTime: 0,
  })
  expect(body.countryList).toContainEqual({ code: 'DE', name: 'Deutschland' })
  expect(body.countryList.length).toBeGreaterThan(240)
})

test('an edit is trimmed, stored, and recorded once with before and after', async () => {
  await using world = await newWorld()
  const member = await world.member()

  const { status, body } = await world.as(member).send(updateProfile, { body: { ...edit, firstName: '  Grace ' } })
  const again = await world.as(member).send(readProfile, { query: {} })
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))

  expect(status).toBe(200)
  expect(body.member.memFirstName).toBe('Grace')
  expect(again.body.member).toEqual(body.member)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    action: 'profile.updated',
    actorKind: 'member',
    actor: member.id,
    details: { before: { firstName: 'Ada', lastName: 'Lindqvist', phone: '', company: '' }, after: edit },
  })
})

test.each([
  ['firstName', '', 'first_name_required'],
  ['firstName', '   ', 'first_name_required'],
  ['lastName', '', 'last_name_required'],
  ['firstName', 'x'.repeat(33), 'too_long'],
  ['lastName', 'x'.repeat(33), 'too_long'],
  ['phone', '1'.repeat(33), 'too_long'],
  ['company', 'x'.repeat(257), 'too_long'],
  ['company', 'nul\u0000', 'broken_text'],
  ['company', 'half \ud800', 'broken_text'],
])('%s %j is refused as %s and changes nothing', async (field, value, code) => {
  await using world = await newWorld()
  const member = await world.member()

  const { status, body } = await world.as(member).send(updateProfile, { body: { ...edit, [field]: value } })
  const after = await world.as(member).send(readProfile, { query: {} })

  expect(status).toBe(422)
  expect(body.errors).toContainEqual(expect.objectContaining({ path: `body.${field}`, code }))
  expect(after.body.member.memFirstName).toBe('Ada')
  expect(await world.db.$count(activity, eq(activity.memberId, member.id))).toBe(0)
})

test('the longest names, phone and company are accepted unchanged', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const longest = {
    firstName: 'é'.repeat(32),
    lastName: '漢'.repeat(32),
    company: 'x'.repeat(256),
    phone: '1'.repeat(32),
  }

  const { status, body } = await world.as(member).send(updateProfile, { body: longest })

  expect(status).toBe(200)
  expect(body.member).toMatchObject({ memFirstName: longest.firstName, memCompany: longest.company })
})

test('e-mail and country cannot be edited', async () => {
  await using world = await newWorld()
  const member = await world.member({ countryCode: 'US' })

  const { body } = await world.as(member).send(updateProfile, {
    body: { ...edit, ...{ email: 'other@example.test', countryCode: 'DE', memEmail: 'other@example.test' } },
  })

  expect(body.member).toMatchObject({ memEmail: member.email, memCountryCode: 'US' })
})

test('an edit changes no other member', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]

  await world.as(member).send(updateProfile, { body: edit })

  expect((await world.as(other).send(readProfile, { query: {} })).body.member.memFirstName).toBe('Ada')
})

test('reading and editing a profile needs a session', async () => {
  await using world = await newWorld()

  expect(await world.visitor.send(readProfile, { query: {} })).toMatchObject({
    status: 401,
    body: { code: 'signed_out' },
  })
  expect(await world.visitor.send(updateProfile, { body: edit })).toMatchObject({ status: 401 })
})

test.each([
  ['+49 30 901820', '', '+49 30 901820'],
  ['030 901820', 'DE', '+49 30 901820'],
  ['ask reception', 'DE', 'ask reception'],
  ['12', 'US', '12'],
  ['', 'US', ''],
])('phone %j in country %j is shown as %j', (phone, country, shown) => {
  expect(internationalPhone(phone, country)).toBe(shown)
})

test('names lose what turns the direction of a sentence, and a name of nothing that is seen is none', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const typed = { ...edit, firstName: '\u202eGrace\u0007', company: 'Na\u2066vy\r\nInc.' }
  const { body } = await world.as(member).send(updateProfile, { body: typed })
  expect(body.member).toMatchObject({ memFirstName: 'Grace', memCompany: 'Navy Inc.' })

  const refused = await world.as(member).send(updateProfile, { body: { ...edit, lastName: '\u3164\u200b' } })
  expect(refused.body).toMatchObject({ status: 422, errors: [{ code: 'last_name_required' }] })
})
