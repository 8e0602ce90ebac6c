import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'

const run = promisify(execFile)

/** Names under which systems install it, and where macOS keeps applications. */
const commands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

interface Browser {
  path: string
  /** For the person who waits: which one it is. */
  origin: string
}

/** Chromium for the tests: the system's, else Playwright's own download, else the system's package manager. */
export async function findBrowser(): Promise<Browser> {
  const found = await installed()
  if (found) return { path: found, origin: 'the system’s' }

  const own = chromium.executablePath()
  if (!(await isExecutable(own))) await attempt('npx', ['playwright', 'install', '--with-deps', 'chromium'])
  if (await isExecutable(own)) return { path: own, origin: 'Playwright’s' }

  await attempt('apt-get', ['update'])
  await attempt('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  await attempt('apk', ['add', 'chromium'])
  await attempt('dnf', ['install', '-y', 'chromium'])
  const packaged = await installed()
  if (packaged) return { path: packaged, origin: 'the package manager’s' }

  throw new Error(
    'The browser tests need Chromium or Chrome, and none could be found or installed. Install one and try again.',
  )
}

/** Switches that a browser in a container or without a screen needs, and that keep it from calling home. */
export const browserSwitches = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

async function installed(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...commands.flatMap((name) => folders.map((folder) => join(folder, name))), ...applications]
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

/** What is not there, or may not, is passed over: the next way is tried. */
async function attempt(command: string, parameters: string[]): Promise<void> {
  await run(command, parameters, { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 }).catch(() => undefined)
}
