import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'

const run = promisify(execFile)

/** Command names on Linux, and paths on macOS. The shell draws no window of its own: journeys take a third less of the processors. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'] as const
const commands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

interface Browser {
  path: string
  /** Shown in the output of the tests. */
  origin: string
}

/** Chromium for the tests: the system's, else Playwright's own download, else the system's package manager. CI adds the shell to the first. */
export async function findBrowser(): Promise<Browser> {
  const shell = await installed(shells)
  if (shell) return { path: shell, origin: 'the system’s' }
  if (process.env.CI) {
    await tryCommand('apt-get', ['update'])
    await tryCommand('apt-get', ['install', '-y', '--no-install-recommends', shells[0]])
  }
  const found = await installed([...shells, ...commands], applications)
  if (found) return { path: found, origin: 'the system’s' }

  const own = chromium.executablePath()
  if (!(await isExecutable(own))) await tryCommand('npx', ['playwright', 'install', '--with-deps', 'chromium'])
  if (await isExecutable(own)) return { path: own, origin: 'Playwright’s' }

  await tryCommand('apt-get', ['update'])
  await tryCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  await tryCommand('apk', ['add', 'chromium'])
  await tryCommand('dnf', ['install', '-y', 'chromium'])
  const packaged = await installed(commands)
  if (packaged) return { path: packaged, origin: 'the package manager’s' }

  throw new Error(
    'The browser tests need Chromium or Chrome, and none could be found or installed. Install one and try again.',
  )
}

/** Switches for a browser in a container or without a display, and against requests of its own. */
export const browserSwitches = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

async function installed(names: readonly string[], paths: readonly string[] = []): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...paths]
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Ignores failures: the command may be missing or not permitted, and the next way is tried. */
async function tryCommand(command: string, parameters: string[]): Promise<void> {
  await run(command, parameters, { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 }).catch(() => undefined)
}
