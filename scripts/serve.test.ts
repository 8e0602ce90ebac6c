import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'
import { expect, onTestFinished, test } from 'vitest'
import { bareEnvironment } from '../packages/server-kit/src/test-environment.ts'
import { projectFolder } from './start/data-directory.ts'

/** The project with its own `.env`, independent of the developer's. */
async function newInstall(settings: Readonly<Record<string, string | number>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-serve-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['package.json', 'apps', 'packages', 'scripts', 'node_modules']) {
    await symlink(join(projectFolder, name), join(folder, name))
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(folder, '.env'), lines.join(''))
  return folder
}

/** Runs a script through npm, with only the environment of a login shell. */
function npmRun(script: string, folder: string, env: NodeJS.ProcessEnv = {}) {
  const { HOME } = process.env
  const npm = spawn('npm', ['run', '--silent', script], {
    cwd: folder,
    env: { ...bareEnvironment, HOME, ...env },
    detached: true,
  })
  const { pid } = npm
  // Kills the whole process group, in case a process has outlived npm.
  onTestFinished(() => {
    try {
      if (pid) process.kill(-pid, 'SIGKILL')
    } catch {
      // None has.
    }
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = new Promise<number | null>((resolve) => npm.once('exit', resolve))
  return { npm, exited, output: () => output }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A request whose headers the server has received, but only part of the body. */
async function unfinishedPost(port: number) {
  const body = 'logoutRequest=nothing'
  const options = { port, path: '/account', method: 'POST', agent: false }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }
  const post = request({ ...options, headers })
  const answered = once(post, 'response').then(([{ statusCode, headers }]) => [statusCode, headers.connection])
  // Handled by whoever awaits `answered`.
  answered.catch(() => undefined)
  await new Promise((resolve) => post.write(body.slice(0, 5), resolve))
  return { answered, finish: () => post.end(body.slice(5)) }
}

test('npm run serve reads .env, and SIGTERM to npm stops the server gracefully', async () => {
  await using database = await newEmptyDatabase()
  const port = await freePort()
  const folder = await newInstall({
    DATABASE_URL: database.url,
    ATRIUM_PORT: port,
    // Avoids the need for a built page.
    WEB_DEV_URL: 'http://localhost:1',
  })
  const { npm, exited, output } = npmRun('serve', folder)
  const isAlive = () =>
    fetch(`http://localhost:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(async () => (await isAlive()) || output()).toBe(true)
  const post = await unfinishedPost(port)
  expect(await isAlive()).toBe(true)

  const signaledAt = performance.now()
  npm.kill('SIGTERM')

  await expect.poll(isAlive, { interval: 20 }).toBe(false)
  post.finish()
  expect(await post.answered, 'the request under way').toEqual([200, 'close'])
  expect(await exited).toBe(0)
  expect(performance.now() - signaledAt).toBeLessThan(10_000)
  const { rows } = await database.db.$client.query(
    "select application_name from pg_stat_activity where application_name in ('account-server', 'atrium-account_jobs') and datname = current_database()",
  )
  expect(rows, 'connections that a server left behind').toEqual([])
})

test.each([
  ['serve', 'ATRIUM_PORT'],
  ['serve:sso', 'ATRIUM_SSO_PORT'],
])('npm run %s names a wrong setting of .env', async (script, setting) => {
  const { exited, output } = npmRun(script, await newInstall({ DATABASE_URL: 'postgres://x', [setting]: 'http' }))

  expect(await exited).toBe(1)
  expect(output()).toContain(`The setting ${setting} is not valid: must be a port number. See .env.example.`)
})

test('the environment comes before .env', async () => {
  const folder = await newInstall({ DATABASE_URL: 'postgres://x', ATRIUM_PORT: 3000 })
  const { exited, output } = npmRun('serve', folder, { ATRIUM_PORT: 'from-outside' })

  expect(await exited).toBe(1)
  expect(output()).toContain('The setting ATRIUM_PORT is not valid')
})

test('certificates of .env, which come too late for Node, are refused', async () => {
  const folder = await newInstall({ DATABASE_URL: 'postgres://x', NODE_EXTRA_CA_CERTS: 'ca.crt' })
  await writeFile(join(folder, 'ca.crt'), rootCertificates[0] ?? '')
  const { exited, output } = npmRun('serve', folder)

  expect(await exited).toBe(1)
  expect(output()).toContain('NODE_EXTRA_CA_CERTS is not valid: Node reads it before it reads .env')
})

test('an .env that cannot be read is reported in one line', async () => {
  const folder = await newInstall({})
  await rm(join(folder, '.env'))
  await mkdir(join(folder, '.env'))
  const { exited, output } = npmRun('serve', folder)

  expect(await exited).toBe(2)
  expect(output()).toMatch(/^The file \.env cannot be read: EISDIR: .*\n$/)
})

test('a worker does not listen and logs no port', async () => {
  await using database = await newEmptyDatabase()
  const folder = await newInstall({
    DATABASE_URL: database.url,
    ATRIUM_ROLE: 'worker',
    WEB_DEV_URL: 'http://localhost:1',
  })
  const { npm, exited, output } = npmRun('serve', folder)
  await expect.poll(() => output()).toContain('"started"')
  npm.kill('SIGTERM')

  expect(await exited).toBe(0)
  expect(output()).not.toContain('"port"')
})
