import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseUnreadableCertificates } from './extra-certificates.ts'

const [authority = ''] = rootCertificates

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-certificates-'))
  await writeFile(join(folder, 'ca.crt'), authority)
})
afterAll(() => rm(folder, { recursive: true }))

/** What a program says that starts with these certificates: `environment` is what Node starts with, `late` what follows. */
async function start(environment: string | undefined, late = environment): Promise<string> {
  const module = JSON.stringify(join(import.meta.dirname, 'extra-certificates.ts'))
  const code = `import { refuseMissingCertificates } from ${module}
    try { refuseMissingCertificates({ NODE_EXTRA_CA_CERTS: process.argv[1] }) } catch (error) { console.log(error.message) }`
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, late ?? ''], {
    env: { ...env, ...(environment ? { NODE_EXTRA_CA_CERTS: environment } : {}) },
  })
  return stdout.trim()
}

const refusal = (fault: string) =>
  `The setting NODE_EXTRA_CA_CERTS is not valid: ${fault}. It names a file with the certificates (PEM) of an authority of your own.`

test('certificates that Node has read are no matter, and neither are none', async () => {
  expect(await start(join(folder, 'ca.crt'))).toBe('')
  expect(await start(undefined)).toBe('')
})

test.each([
  ['nothing', ''],
  ['words', 'no certificate'],
  ['a broken one', authority.replace(/MII\w+/, 'nonsense')],
  ['a key', authority.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
])('a file with %s is named', async (_what, content) => {
  const path = join(folder, 'other.crt')
  await writeFile(path, content)
  const sentence = refusal(`the file ${path} has no certificate in PEM`)
  expect(await start(path)).toBe(sentence)
  expect(() => refuseUnreadableCertificates({ NODE_EXTRA_CA_CERTS: path })).toThrow(sentence)
})

test('a file that cannot be read is named', async () => {
  const missing = join(folder, 'missing.crt')
  expect(await start(missing)).toBe(refusal(`the file ${missing} cannot be read (ENOENT)`))
  expect(await start(folder)).toBe(refusal(`the file ${folder} cannot be read (EISDIR)`))
})

test('set by .env, which Node does not know yet when it starts, is named', async () => {
  const path = join(folder, 'ca.crt')
  expect(await start(undefined, path)).toBe(refusal('Node reads it before it reads .env: set it in the environment'))
  expect(() => refuseUnreadableCertificates({ NODE_EXTRA_CA_CERTS: path })).not.toThrow()
})
