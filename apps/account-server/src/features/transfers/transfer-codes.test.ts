import { expect, test } from 'vitest'
import { newSubscription } from '../../test/factories.ts'
import { type Codes, noProviders, transfersIn } from '../../test/transfers.ts'
import { newWorld } from '../../test/world.ts'

async function pair() {
  const world = await newWorld({ settings: noProviders })
  const [owner, recipient] = [await world.member(), await world.member()]
  const { id } = await newSubscription(world, owner)
  return { ...world, ...transfersIn(world), owner, recipient, id }
}

/** Another six digits. */
function other(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

const paths = (answer: { body: { errors?: readonly { path: string; code: string }[] | undefined } }) =>
  (answer.body.errors ?? []).map(({ path, code }) => `${path} ${code}`)

test('each code is refused at its own field; swapped, both are', async () => {
  await using world = await pair()
  const { owner, recipient, id } = world
  const codes = await world.codesFor(owner, recipient)
  expect(codes.current).toMatch(/^\d{6}$/)
  const swapped: Codes = { current: codes.recipient, recipient: codes.current }
  const current = 'body.verificationCodeForCurrent code_wrong'
  const recipients = 'body.verificationCodeForRecipient code_wrong'
  expect(paths(await world.use(owner, recipient.email, { ...codes, current: other(codes.current) }))).toEqual([current])
  expect(paths(await world.use(owner, recipient.email, { ...codes, recipient: other(codes.recipient) }))).toEqual([
    recipients,
  ])
  expect(paths(await world.use(owner, recipient.email, swapped))).toEqual([current, recipients])
  expect((await world.stored(id)).memberId).toBe(owner.id)
  expect((await world.actions(owner)).filter((action) => action === 'transfer.codes_refused')).toHaveLength(1)
  const spaced = {
    current: `${codes.current.slice(0, 3)}-${codes.current.slice(3)}`,
    recipient: ` ${codes.recipient.slice(0, 3)} ${codes.recipient.slice(3)}`,
  }
  expect((await world.use(owner, recipient.email, spaced)).status).toBe(200)
})

test('what is not six digits is refused without counting as a guess', async () => {
  await using world = await pair()
  const { owner, recipient } = world
  const codes = await world.codesFor(owner, recipient)
  for (const wrong of ['', '   ', '12345', '1234567', '12345a', '１２３４５６', '-12345']) {
    const answer = await world.use(owner, recipient.email, { ...codes, recipient: wrong })
    const code = wrong.trim() === '' ? 'recipient_code_required' : 'code_malformed'
    expect(paths(answer)).toEqual([`body.verificationCodeForRecipient ${code}`])
  }
  for (const [email, code] of [
    ['', 'recipient_required'],
    ['grace', 'email_invalid'],
  ] as const) {
    expect(paths(await world.send(owner, email))).toEqual([`body.email ${code}`])
  }
  expect((await world.use(owner, recipient.email, codes)).status).toBe(200)
})

test('of 200 guesses at once at most five are looked at, and the right code is no good then', async () => {
  await using world = await pair()
  const { owner, recipient, id } = world
  const codes = await world.codesFor(owner, recipient)
  // What is shown holds without the limit of calls.
  world.deps.limitCalls = async () => undefined
  const guesses = Array.from({ length: 200 }, (_, step) => {
    const guess = String((Number(codes.recipient) + 1 + step) % 1_000_000).padStart(6, '0')
    return world.use(owner, recipient.email, { ...codes, recipient: guess })
  })
  const answers = await Promise.all(guesses)
  const looked = answers.filter(({ status }) => status === 422)
  expect(looked).toHaveLength(5)
  const others = new Set(answers.filter((one) => !looked.includes(one)).map(({ body }) => body.code))
  // So many at once may also be too many for the server.
  expect(others.difference(new Set(['codes_void', 'overloaded']))).toEqual(new Set())
  expect((await world.use(owner, recipient.email, codes)).body.code).toBe('codes_void')
  expect((await world.stored(id)).memberId).toBe(owner.id)
})

test('a new pair voids the old one; pairs are 30 seconds apart, five an hour, and ten minutes old at most', async () => {
  await using world = await pair()
  const { owner, recipient } = world
  const first = await world.codesFor(owner, recipient)
  expect(await world.send(owner, recipient.email)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
  world.later(30)
  const second = await world.codesFor(owner, recipient)
  expect(paths(await world.use(owner, recipient.email, first)).length).toBeGreaterThan(0)
  world.later(600)
  const again = { ...owner, cookie: await world.session(owner.id) }
  expect((await world.use(again, recipient.email, second)).body.code).toBe('codes_void')
  for (let times = 0; times < 3; times += 1) {
    await world.codesFor(owner, recipient)
    world.later(60)
  }
  const refused = await world.send(owner, recipient.email)
  expect([refused.status, Number(refused.headers['retry-after']) > 60]).toEqual([429, true])
  world.later(3600 - 600 - 180)
  const cookie = await world.session(owner.id)
  expect((await world.send({ ...owner, cookie }, recipient.email)).status).toBe(200)
})

test('codes are good for their own two people only', async () => {
  await using world = await pair()
  const { owner, recipient, id } = world
  const [otherOwner, otherRecipient] = [await world.member(), await world.member()]
  await newSubscription(world, otherOwner)
  const others = await world.codesFor(otherOwner, otherRecipient)
  const codes = await world.codesFor(owner, recipient)

  expect((await world.use(owner, otherRecipient.email, codes)).body.code).toBe('codes_of_another')
  expect(paths(await world.use(owner, recipient.email, others))).toHaveLength(2)
  expect((await world.use(recipient, recipient.email, codes)).body.code).toBe('codes_void')
  expect((await world.stored(id)).memberId).toBe(owner.id)
  expect((await world.use(owner, recipient.email.toUpperCase(), codes)).status).toBe(200)
})

test('at most so many addresses are tried an hour, whether they exist or not', async () => {
  await using world = await pair()
  const { owner } = world
  const answers = []
  for (let times = 0; times < 31; times += 1) answers.push(await world.checkEmail(owner, `nobody${times}@example.test`))
  expect(answers.map(({ status }) => status)).toEqual([...Array(30).fill(409), 429])
})
