import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A command that does this, as a program of its own. */
async function runDoing(work: string) {
  const module = JSON.stringify(join(import.meta.dirname, 'command.ts'))
  const code = `import { runCommand } from ${module}
    await runCommand({ usage: 'Usage: it', about: 'About it.', options: [], main: async () => { ${work} } })`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]).then(
    (done) => ({ ...done, code: 0 }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  )
}

test('a fault of ours has an exit code of its own, so that nobody takes it for lines that were refused', async () => {
  expect(await runDoing("throw new TypeError('a fault')")).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^TypeError: a fault\n +at /),
  })
  expect(await runDoing('return 1')).toMatchObject({ code: 1, stderr: '' })
})
