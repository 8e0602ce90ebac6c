import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdDirectory } from './data-directory.ts'
import { ownDatabase } from './database.ts'
import { refuseTakenPorts } from './ports.ts'
import { programEnvironment, readStartConfig } from './settings.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a directory is held by one start at a time', async () => {
  const directory = await newFolder()
  const letGo = await holdDirectory(directory)

  await expect(holdDirectory(directory)).rejects.toThrow(
    `Atrium already runs on ${directory} (process ${process.pid}). Stop it first, or set ATRIUM_DATA_DIR to another folder.`,
  )
  await letGo()
  const again = await holdDirectory(directory)
  await again()
})

test('a lock whose process is gone, or is another one by now, holds nothing', async () => {
  const directory = await newFolder()
  for (const mark of ['999999999 1', `${process.pid} 1`, 'rubbish']) {
    await writeFile(join(directory, 'start.pid'), mark)
    const letGo = await holdDirectory(directory)
    await letGo()
  }
})

test('a taken port is named with the setting that chooses another', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  await expect(refuseTakenPorts([{ port: address.port, setting: 'ATRIUM_SSO_PORT' }])).rejects.toThrow(
    `Port ${address.port} is taken by another program. Stop it, or set ATRIUM_SSO_PORT to a free port.`,
  )
})

test.each([
  ['postgres://nobody:x@127.0.0.1:1/none', /ECONNREFUSED/],
  [`${process.env.ATRIUM_TEST_DATABASE_URL?.replace(/\/[^/]*$/, '')}/absent`, /"absent" does not exist/],
  // A server that trusts everybody still knows no such user.
  [
    process.env.ATRIUM_TEST_DATABASE_URL?.replace(/\/\/[^@]+@/, '//absent:wrong@') ?? '',
    /authentication failed|does not exist/,
  ],
])('a wrong DATABASE_URL is one sentence without the password', async (url, reason) => {
  const refusal = await ownDatabase(url).catch((error: Error) => error.message)
  expect(refusal).toMatch(/^DATABASE_URL does not work: .*Correct it, or leave it out/)
  expect(refusal).toMatch(reason)
  expect(refusal).not.toContain('wrong@')
})

test('a wrong setting is named', () => {
  expect(() => readStartConfig({ ATRIUM_PORT: 'http' })).toThrow(
    'The setting ATRIUM_PORT is not valid: must be a port number. See .env.example.',
  )
  expect(() => readStartConfig({ DATABASE_URL: 'mysql://x' })).toThrow(
    'The setting DATABASE_URL is not valid: must be a postgres:// address',
  )
})

test('the programs’ addresses follow the ports, and what is set wins', () => {
  const env = { ATRIUM_PORT: '4000', SITE_URL: 'https://folio.example' }
  const environment = programEnvironment(readStartConfig(env), 'postgres://x', env)
  expect(environment).toMatchObject({
    PUBLIC_URL: 'http://localhost:4000',
    SSO_URL: 'http://localhost:3001',
    SITE_URL: 'https://folio.example',
    FEEDBACK_URL: 'http://localhost:3002/support/feedback',
    DATABASE_URL: 'postgres://x',
  })
})
