import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { folderWithDatabase, masterOf, newFolder, query, start } from '../test/embedded-postgres.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const directory = await folderWithDatabase()
const cluster = join(directory, 'postgresql')
const lockFile = join(cluster, 'postmaster.pid')

/** Leaves a lock file, until the test has ended. */
async function writeLock(text: string): Promise<void> {
  await writeFile(lockFile, text)
  onTestFinished(() => rm(lockFile, { force: true }))
}

const writeLockOf = (pid: number | undefined) => writeLock(`${pid}\n${cluster}\n0\n5432\n\n127.0.0.1\n`)

test('a database that a killed start left running is stopped gracefully, and its data is served again', async () => {
  const orphan = await start(directory)
  const pid = await masterOf(directory)
  await query(orphan.url, 'create table kept (id int)')

  // The first one keeps running: to the second start it is an orphan.
  const second = await start(directory)

  await orphan.exited
  expect(await masterOf(directory)).not.toBe(pid)
  expect(await query(second.url, 'select * from kept')).toEqual([])
})

test('a database left running is recognized by its folder, whatever path names it', async () => {
  const link = join(await newFolder(), 'link')
  await symlink(directory, link)

  for (const [left, next] of [
    [directory, link],
    [link, directory],
    [link, link],
  ] as const) {
    const orphan = await start(left)
    const pid = await masterOf(directory)
    const second = await start(next)

    await orphan.exited
    expect(await masterOf(directory)).not.toBe(pid)
    await second.stop()
  }
})

test('a lock file that names a process other than PostgreSQL is stale', async () => {
  await writeLockOf(process.ppid)

  const second = await start(directory)

  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a process that works in the data directory and is not PostgreSQL is left alone', async () => {
  const stranger = spawn('sleep', ['60'], { cwd: cluster, stdio: 'ignore' })
  onTestFinished(() => void stranger.kill('SIGKILL'))
  await writeLockOf(stranger.pid)

  const second = await start(directory)

  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
})

test('a PostgreSQL that works in another directory is left alone', async () => {
  const other = await newFolder()
  const running = await start(other)
  await writeLockOf(await masterOf(other))

  const second = await start(directory)

  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await query(running.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.each(['', 'garbage\n', '-12\n'])(
  'a lock file that names no process is refused with a message (%j)',
  async (text) => {
    await writeLock(text)

    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(
      `${lockFile} does not name a process. Make sure that no PostgreSQL runs on this data, remove the file, and start again.`,
    )

    expect(await readFile(lockFile, 'utf8')).toBe(text)
  },
)

/** Root as in most containers: it may not inspect other users' processes. */
const withoutPtrace = ['setpriv', '--bounding-set', '-sys_ptrace', '--inh-caps', '-sys_ptrace'] as const
const canDropPtrace =
  process.getuid?.() === 0 && spawnSync(withoutPtrace[0], [...withoutPtrace.slice(1), 'true']).status === 0

/** Runs `stopOrphan` as that root. @returns its output */
async function stopOrphanWithoutPtrace() {
  const script = `import { stopOrphan } from ${JSON.stringify(join(import.meta.dirname, 'orphan.ts'))}
    await stopOrphan(${JSON.stringify(cluster)}).catch(({ message }) => console.log(message))`
  const [command, ...options] = [...withoutPtrace, process.execPath, '--input-type=module', '-e', script]
  return (await promisify(execFile)(command, options)).stdout.trim()
}

test.skipIf(!canDropPtrace)('the lock file of a database that cannot be inspected stays', async () => {
  const orphan = await start(directory)
  const pid = await masterOf(directory)

  expect(await stopOrphanWithoutPtrace()).toBe(
    `${lockFile} names the process ${pid}, which cannot be inspected. Make sure that no PostgreSQL runs on this data, remove the file, and start again.`,
  )
  expect(await masterOf(directory)).toBe(pid)
  expect(await query(orphan.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.skipIf(!canDropPtrace)(
  'a process of a user who does not own the data is not its PostgreSQL, nor is a zombie',
  async () => {
    const { uid } = await stat(cluster)
    const stranger = spawn('sleep', ['60'], { uid: 12_345, gid: 12_345, stdio: 'ignore' })
    // Its parent never reaps it.
    const orphaned = '(until grep -q sleep /proc/$$/comm; do sleep 0.1; done) & echo $!; exec sleep 60'
    const parent = spawn('sh', ['-c', orphaned], { uid, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => [stranger, parent].forEach((child) => void child.kill('SIGKILL')))
    const [zombie] = await once(parent.stdout, 'data')
    await expect.poll(() => readFile(`/proc/${Number(zombie)}/status`, 'utf8')).toMatch(/^State:\tZ/m)

    for (const pid of [stranger.pid, Number(zombie)]) {
      await writeLockOf(pid)
      expect(await stopOrphanWithoutPtrace()).toBe('')
      await expect(readFile(lockFile)).rejects.toThrow('ENOENT')
    }
  },
)
