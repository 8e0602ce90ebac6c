import type { z } from 'zod'
import { AccountSettings } from '../apps/account-server/src/config.ts'
import { SandboxSettings } from '../apps/sandbox/src/config.ts'
import { SsoSettings } from '../apps/sso/src/config.ts'
import { StartSettings } from './start/settings.ts'

const programs = [
  { title: 'npm start, npm run dev, npm test', settings: StartSettings },
  { title: 'account-server (npm run serve)', settings: AccountSettings },
  { title: 'sso (npm run serve:sso)', settings: SsoSettings },
  { title: 'sandbox (never in production)', settings: SandboxSettings },
]

/** The content of `.env.example`, generated from the schemas of the settings; a test compares the file with it. */
export function environmentExample(): string {
  const told = new Set<string>()
  const parts = programs.map(({ title, settings }) => {
    const shape: Readonly<Record<string, z.ZodType>> = settings.shape
    const lines = Object.entries(shape).flatMap(([name, schema]) => {
      if (told.has(name)) return []
      told.add(name)
      return [`# ${schema.description ?? ''}`, `#${name}=${defaultOf(schema)}`, '']
    })
    return [`## ${title}`, '', ...lines].join('\n')
  })
  return ['# Every setting, with its default. Copy to .env and take the # away where you set one.', '', ...parts].join(
    '\n',
  )
}

function defaultOf(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined)
  const value = parsed.success ? parsed.data : undefined
  return Array.isArray(value) ? value.join(',') : String(value ?? '')
}

if (import.meta.main) process.stdout.write(environmentExample())
