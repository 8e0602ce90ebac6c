import type { Email } from '@atrium/server-kit/mail.ts'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { writeEmail } from './emails.ts'
import { mailJobs } from './mail.jobs.ts'
import { sendEmail } from './mail.writes.ts'

const draft = {
  kind: 'resetPassword',
  to: 'ada@example.test',
  name: 'Ada',
  locale: 'en-us',
  messageId: '<1@sso.example>',
  brandName: 'Folio',
  brandColor: '#3b51c4',
  url: 'https://sso.example/choose-password#token=abc',
} as const

test('an email has the same words in plain text and in HTML', () => {
  const { subject, text, html } = writeEmail(draft)
  expect(subject).toBe('Choose a new password for Folio')
  for (const part of ['Hello Ada,', 'https://sso.example/choose-password#token=abc', 'works once, for one hour']) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
})

test('a name is only text, and cannot inject HTML or headers', () => {
  const { subject, html } = writeEmail({ ...draft, name: '<img src=x onerror=1>', brandName: 'Folio\r\nBcc: x@y' })
  expect(html).not.toContain('<img')
  expect(subject).not.toMatch(/[\r\n]/)
})

test.each([
  ['#3b51c4', '#ffffff'],
  ['#ffd400', '#000000'],
])('the label of a button can be read on %s', (brandColor, color) => {
  expect(writeEmail({ ...draft, brandColor }).html).toContain(`background:${brandColor};color:${color};`)
})

test('a recipient without a name is greeted without one', () => {
  expect(writeEmail({ ...draft, name: '' }).text).toMatch(/^Hello,/)
})

test('an email that could not be sent is sent later, with the same Message-ID', async () => {
  await using world = await newWorld()
  const attempts: Email[] = []
  await mailJobs(world.deps, async (message) => {
    attempts.push(message)
    if (attempts.length === 1) throw new Error('the mail server is unavailable')
  })
  const reader = { email: 'ada@example.test', name: 'Ada', locale: 'en-us' }
  await world.db.transaction((tx) =>
    sendEmail(world.deps, tx, { name: 'passwordChanged', reader, secrets: { url: 'https://sso.example/x' } }),
  )
  await expect.poll(() => attempts).toHaveLength(2)
  expect(attempts[1]).toEqual(attempts[0])
  expect(attempts[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
})

test('an email of a transaction that fails is never sent', async () => {
  await using world = await newWorld({ work: true })
  const reader = { email: 'rolled-back@example.test', name: '', locale: 'en-us' }
  const failed = world.db.transaction(async (tx) => {
    await sendEmail(world.deps, tx, { name: 'passwordChanged', reader })
    throw new Error('something went wrong after')
  })
  await expect(failed).rejects.toThrow('something went wrong after')
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(world.emails).toEqual([])
})
