import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { AccountSettings, readAccountConfig } from '../apps/account-server/src/config.ts'
import { readSsoConfig, SsoSettings } from '../apps/sso/src/config.ts'
import { sourceFiles } from './check/source-files.ts'
import { projectFolder } from './start/data-directory.ts'

/** A sample as the operator fills it in. */
const filledIn = (sample: NodeJS.Dict<string>) =>
  Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [name, value?.replaceAll(/CHANGE-?ME/g, 'x'.repeat(64))]),
  )

const read = (file: string) => readFile(join(projectFolder, file), 'utf8')

test('account-server accepts its sample settings once they are filled in', async () => {
  const sample = parseEnv(await read('deploy/account-server.env'))

  expect(Object.keys(sample).filter((name) => !(name in AccountSettings.shape))).toEqual([])
  expect(() => readAccountConfig(sample)).toThrow(
    /^(The setting [A-Z_]+ still has the CHANGE-ME of the sample. See .env.example.\n?){4}$/,
  )
  expect(readAccountConfig(filledIn(sample))).toMatchObject({
    PUBLIC_URL: 'https://account.example.com',
    DATABASE_POOL: 10,
  })
})

test('sso accepts its sample settings once they are filled in', async () => {
  const sample = parseEnv(await read('deploy/sso.env'))

  expect(Object.keys(sample).filter((name) => !(name in SsoSettings.shape))).toEqual([])
  expect(() => readSsoConfig(sample)).toThrow('The setting SSO_SECRET is not valid: must have at least 32 characters.')
  expect(readSsoConfig(filledIn(sample))).toMatchObject({
    SSO_URL: 'https://login.example.com',
  })
})

test('every unit runs an existing program with an existing environment file', async () => {
  const units = sourceFiles(['deploy/systemd/*.service'])
  expect(units.length).toBe(3)

  for (const unit of units) {
    const text = await read(unit)
    const [, program = ''] = /^ExecStart=\/opt\/atrium\/current\/node_modules\/\.bin\/node (\S+)$/m.exec(text) ?? []
    const [, settings = ''] = /^EnvironmentFile=\/etc\/atrium\/(\S+)$/m.exec(text) ?? []
    await access(join(projectFolder, program))
    await access(join(projectFolder, 'deploy', settings))
    expect(program, unit).not.toBe('')
    expect(settings, unit).not.toBe('')
  }
})

test('every program listens where nginx expects it', async () => {
  const nginx = await read('deploy/nginx/atrium.conf')
  const hosts = [...nginx.matchAll(/^ {4}server (\S+):\d+ /gm)].map(([, host]) => host)
  expect(hosts.length).toBe(4)

  for (const unit of sourceFiles(['deploy/systemd/*.service'])) {
    const [, host] = /^Environment=.*\bATRIUM_HOST=(\S+)/m.exec(await read(unit)) ?? []
    expect(hosts, unit).toEqual(hosts.map(() => host))
  }
})

test('every copy has its own metrics port, and the environment files set none', async () => {
  const ports = await Promise.all(
    sourceFiles(['deploy/systemd/*.service']).map(async (unit) => {
      const [, port] = /^Environment=.*_METRICS_PORT=(\S+)/m.exec(await read(unit)) ?? []
      return unit.includes('@') ? port?.replace('%i', ' and its own') : port
    }),
  )
  expect(ports.toSorted()).toEqual(['1 and its own', '1 and its own', '13020'])

  for (const file of ['deploy/account-server.env', 'deploy/sso.env']) {
    expect(await read(file)).not.toMatch(/METRICS_PORT/)
  }
})

test('no nginx server reveals its version', async () => {
  const [, ...servers] = (await read('deploy/nginx/atrium.conf')).split(/^server \{$/m)
  expect(servers.length).toBe(3)
  expect(await read('deploy/nginx/atrium-proxy.conf')).toMatch(/^server_tokens off;$/m)
  for (const server of servers) expect(server).toMatch(/server_tokens off;|include snippets\/atrium-proxy\.conf;/)
})
