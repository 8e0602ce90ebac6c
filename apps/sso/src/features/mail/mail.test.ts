import type { Letter } from '@atrium/server-kit/mail.ts'
import { expect, test, vi } from 'vitest'
import { newWorld } from '../../test/world.ts'
import { writeLetter } from './letters.ts'
import { mailJobs } from './mail.jobs.ts'
import { sendLetter } from './mail.writes.ts'

const draft = {
  letter: 'resetPassword',
  to: 'ada@example.test',
  name: 'Ada',
  locale: 'en-us',
  messageId: '<1@sso.example>',
  brandName: 'Folio',
  brandColor: '#3b51c4',
  url: 'https://sso.example/choose-password#token=abc',
} as const

test('a letter says the same in plain text and in HTML', () => {
  const { subject, text, html } = writeLetter(draft)
  expect(subject).toBe('Choose a new password for Folio')
  for (const part of ['Hello Ada,', 'https://sso.example/choose-password#token=abc', 'works once, for one hour']) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
})

test('a name is only text: it is no HTML and starts no header', () => {
  const { subject, html } = writeLetter({ ...draft, name: '<img src=x onerror=1>', brandName: 'Folio\r\nBcc: x@y' })
  expect(html).not.toContain('<img')
  expect(subject).not.toMatch(/[\r\n]/)
})

test('who gave no name is greeted without one', () => {
  expect(writeLetter({ ...draft, name: '' }).text).toMatch(/^Hello,/)
})

test('a letter that could not be sent is sent later, with the same Message-ID', async () => {
  await using world = await newWorld()
  const attempts: Letter[] = []
  await mailJobs(world.deps, async (letter) => {
    attempts.push(letter)
    if (attempts.length === 1) throw new Error('the mail server is away')
  })
  const reader = { email: 'ada@example.test', name: 'Ada', locale: 'en-us' }
  await world.db.transaction((tx) =>
    sendLetter(world.deps, tx, { name: 'passwordChanged', reader, secrets: { url: 'https://sso.example/x' } }),
  )
  await vi.waitFor(() => expect(attempts).toHaveLength(2), { timeout: 18_000, interval: 100 })
  expect(attempts[1]).toEqual(attempts[0])
  expect(attempts[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
})

test('a letter of a transaction that fails is never sent', async () => {
  await using world = await newWorld({ work: true })
  const reader = { email: 'rolled-back@example.test', name: '', locale: 'en-us' }
  const failed = world.db.transaction(async (tx) => {
    await sendLetter(world.deps, tx, { name: 'passwordChanged', reader })
    throw new Error('something went wrong after')
  })
  await expect(failed).rejects.toThrow('something went wrong after')
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(world.letters).toEqual([])
})
