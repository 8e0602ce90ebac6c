import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newCardsWorld } from './test/cards.ts'

test('the program of the README sells, renews and refunds', async () => {
  await using world = await newCardsWorld()
  const readme = await readFile(resolve(import.meta.dirname, '../README.md'), 'utf8')
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? []
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, SANDBOX: world.address },
  })

  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  expect(stdout).toContain('sold: active')
  expect(stdout).toContain("[ 'subscription_cycle', 'paid', 900 ]")
  expect(stdout).toContain('refunded: 900 succeeded')
})
