import { join } from 'node:path'
import { readSession } from '@atrium/contract/session.ts'
import { runInside, runProgram } from '@atrium/server-kit/test-command.ts'
import { newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { identities } from '../db/members.tables.ts'
import { activity } from '../features/activity/activity.tables.ts'
import { newWorld } from '../test/world.ts'
import { membersCommand } from './members.command.ts'

async function members(databaseUrl: string, ...parameters: string[]) {
  return membersIn({ DATABASE_URL: databaseUrl }, ...parameters)
}

async function membersIn(environment: NodeJS.ProcessEnv, ...parameters: string[]) {
  return inLines(await runInside(membersCommand, parameters, environment))
}

const inLines = ({ code, stdout, stderr }: Awaited<ReturnType<typeof runInside>>) => ({
  ...{ code, said: stdout.trim().split('\n'), complained: stderr },
})

/** The program itself. */
const started = async (environment: NodeJS.ProcessEnv, ...parameters: string[]) =>
  inLines(await runProgram(join(import.meta.dirname, 'members.ts'), parameters, environment))

test('npm run members -- sessions counts the sessions of a member, and with --end ends them all, in one activity row', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  await world.session(member.id)
  const url = world.config.DATABASE_URL
  const statuses = () =>
    Promise.all([member, other].map(async (who) => (await world.as(who).send(readSession, {})).status))

  const counted = await started({ DATABASE_URL: url }, 'sessions', member.email)
  expect([counted.code, counted.said]).toEqual([
    0,
    [`Sessions of member ${member.id} at the account page, with --end they end: 2.`],
  ])
  expect(await statuses()).toEqual([200, 200])

  const ended = await members(url, 'sessions', ` ${member.email.toUpperCase()}`, '--end')
  expect([ended.code, ended.said]).toEqual([0, [`Sessions of member ${member.id} at the account page, ended: 2.`]])
  expect(await statuses()).toEqual([401, 200])
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, member.id))
  expect(rows).toMatchObject([{ action: 'session.ended', actorKind: 'vendor', details: { endedSessions: 2 } }])

  expect((await members(url, 'sessions', member.email, '--end')).said).toEqual([
    `Sessions of member ${member.id} at the account page, ended: 0.`,
  ])
  expect((await members(url, 'sessions', 'nobody@example.test', '--end')).code).toBe(1)
  expect((await members(url, 'sessions')).code).toBe(2)
})

test('npm run members -- link reports what it does and its consequences', async () => {
  await using world = await newWorld()
  const [member, other] = [await world.member(), await world.member()]
  const url = world.config.DATABASE_URL
  const createdAt = new Date()
  await world.db.insert(identities).values([
    { provider: 'cas', subject: 'subject-old', memberId: member.id, createdAt },
    { provider: 'cas', subject: 'subject-new', memberId: other.id, createdAt },
  ])

  const refused = await members(url, 'link', member.email, 'subject-new')
  expect(refused).toEqual({
    code: 1,
    complained: '',
    said: [
      'Nothing was changed. With --replace:',
      `subject-old no longer signs in as member ${member.id}.`,
      `subject-new no longer signs in as member ${other.id}, who has nothing here.`,
    ],
  })
  const dry = await members(url, 'link', ` ${member.email.toUpperCase()}`, 'subject-new', '--replace', '--dry-run')
  expect([dry.code, dry.said.at(-1)]).toEqual([0, 'This was a dry run: nothing was changed.'])
  const done = await members(url, 'link', member.email, 'subject-new', '--replace')
  expect([done.code, done.said[0], done.said.at(-1)]).toEqual([
    0,
    `subject-new signs in as ${member.email} (member ${member.id}).`,
    'Done.',
  ])
  const again = await members(url, 'link', member.email, 'subject-new')
  expect([again.code, again.said[0]]).toEqual([0, expect.stringContaining('already')])
  expect((await members(url, 'link', 'nobody@example.test', 'subject-new')).code).toBe(1)
})

test('npm run members -- link reports the data of a member who loses the identity, and that the address still opens it', async () => {
  await using world = await newWorld()
  const [member, left] = [await world.member(), await world.member({ phone: '1' })]
  await world.db
    .insert(identities)
    .values({ provider: 'cas', subject: 'subject-moving', memberId: left.id, createdAt: new Date() })

  const { said } = await members(world.config.DATABASE_URL, 'link', member.email, 'subject-moving')

  expect(said[1]).toBe(
    `subject-moving no longer signs in as member ${left.id}, who keeps profile (1); nothing is merged, and nobody signs in to it until somebody signs in with its address.`,
  )
})

test('invalid arguments print the usage, an unavailable or empty database a sentence', async () => {
  await using world = await newWorld()
  const url = world.config.DATABASE_URL
  const empty = new URL(url)
  empty.pathname = '/postgres'
  const link = ['link', 'a@b.c', 's']
  const usage = expect.stringContaining('npm run members -- link EMAIL SUBJECT')
  const wrong: [url: string, parameters: string[], code: number, complained: unknown][] = [
    [url, [], 2, usage],
    [url, ['merge'], 2, usage],
    [url, ['link', 'ada@x.test'], 2, usage],
    [url, ['link', 'ada', 'subject'], 2, usage],
    [url, [...link, '--all'], 2, usage],
    ['nowhere', link, 2, expect.stringContaining('DATABASE_URL')],
    [
      'postgres://127.0.0.1:1/atrium',
      link,
      3,
      'The database of DATABASE_URL does not answer. Is it running? Nothing was changed.\n',
    ],
    [empty.href, link, 3, expect.stringContaining('start account-server')],
  ]

  const answers = await Promise.all(wrong.map(([database, parameters]) => members(database, ...parameters)))

  expect(answers.map(({ code, complained }) => [code, complained])).toEqual(
    wrong.map(([, , code, complained]) => [code, complained]),
  )
})

/** The world's database through a forwarder. */
async function forwarded(url: string) {
  const forwarder = await newForwarder(Number(new URL(url).port))
  return Object.assign(forwarder, { url: throughForwarder(url, forwarder) })
}

test('an unanswered commit is reported as unknown, and the command can be run again', async () => {
  await using world = await newWorld()
  await using lossy = await forwarded(world.config.DATABASE_URL)
  const member = await world.member()
  lossy.loseAnswerTo('commit')

  expect(await members(lossy.url, 'link', member.email, 'subject-unknown')).toEqual({
    code: 3,
    said: [''],
    complained: 'The connection to the database was lost. It is not known whether this was done: run it again.\n',
  })
  const again = await members(lossy.url, 'link', member.email, 'subject-unknown')
  expect([again.code, again.said[0]]).toEqual([0, expect.stringContaining('already')])
})

test('a connection that is lost before the commit changes nothing', async () => {
  await using world = await newWorld()
  await using lossy = await forwarded(world.config.DATABASE_URL)
  const member = await world.member()
  const running = await world.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${identities}`)
    const linking = members(lossy.url, 'link', member.email, 'subject-lost')
    await expect.poll(() => waitingFor(world.config.DATABASE_URL)).toBe(1)
    lossy.cut()
    return { linking }
  })

  expect(await running.linking).toMatchObject({
    code: 3,
    complained: 'The connection to the database was lost. Nothing was changed.\n',
  })
  expect(await world.db.$count(identities, eq(identities.subject, 'subject-lost'))).toBe(0)
})

/** The number of commands that wait for a lock. */
async function waitingFor(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(`select from pg_stat_activity
    where application_name = 'atrium-members' and datname = current_database() and wait_event_type = 'Lock'`)
  await client.end()
  return rows.length
}

test('--dry-run works even if npm consumed the option', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const environment = { DATABASE_URL: world.config.DATABASE_URL, npm_config_dry_run: 'true' }
  const { said } = await membersIn(environment, 'link', member.email, 'subject-dry')
  expect(said.at(-1)).toBe('This was a dry run: nothing was changed.')
  expect(await world.db.$count(identities, eq(identities.subject, 'subject-dry'))).toBe(0)
})

test('an option that npm took for its own is named, and nothing is done without it', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const withNpm = (taken: NodeJS.ProcessEnv) =>
    membersIn({ DATABASE_URL: world.config.DATABASE_URL, ...taken }, 'link', member.email, 'subject-taken')
  for (const taken of [
    { npm_config_replace: 'true' },
    // What npm makes of `--replace`, and of `--replace --dry-run`.
    { npm_config_replace_registry_host: 'true' },
    { npm_config_replace_registry_host: '--dry-run' },
  ]) {
    expect(await withNpm(taken)).toEqual({
      code: 2,
      said: [''],
      complained: 'npm has taken --replace for itself: put -- before what is given to the command.\n',
    })
  }
  expect(await world.db.$count(identities, eq(identities.subject, 'subject-taken'))).toBe(0)
  expect(await withNpm({ npm_config_replace_registry_host: 'never' })).toMatchObject({ code: 0 })
})

test('--help is an answer; without a database, that is what is missing', async () => {
  expect(await membersIn({}, '--help')).toMatchObject({
    code: 0,
    complained: '',
    said: expect.arrayContaining(['  npm run members -- link EMAIL SUBJECT [--replace] [--dry-run]']),
  })
  expect(await started({}, 'link', 'a@b.c', 's')).toMatchObject({
    code: 2,
    complained: 'Set DATABASE_URL, or run npm start beside this: there is no database to work on.\n',
  })
})
