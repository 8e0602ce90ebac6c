import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { endSessionsByOperator, openSessionsOfAddress } from '../features/session/operator-sessions.service.ts'
import type { Command } from './command.ts'

interface Arguments {
  email: string
  isEnd: boolean
}

/** `sessions EMAIL [--end]`: ends every session of whoever has this address; without `--end` it only counts them. */
export const memberSessions: Command = {
  usage: 'sessions EMAIL [--end]',
  prepare(parameters) {
    const given = argumentsOf(parameters)
    return given && ((db, print) => run(db, given, print))
  },
}

/** @throws TypeError for an unknown option */
function argumentsOf(parameters: readonly string[]): Arguments | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { end: { type: 'boolean', default: false } },
  })
  const [email = '', ...more] = positionals.map((value) => value.trim())
  return email.includes('@') && more.length === 0 ? { email: emailForm(email), isEnd: values.end } : undefined
}

async function run(db: Db, { email, isEnd }: Arguments, print: (line: string) => void): Promise<ExitCode> {
  const found = isEnd ? await endSessionsByOperator(db, email, new Date()) : await openSessionsOfAddress(db, email)
  for (const { memberId, sessions } of found) {
    print(
      `Sessions of member ${memberId} at the account page, ${isEnd ? 'ended' : 'with --end they end'}: ${sessions}.`,
    )
  }
  if (found.length > 0) return exitCodes.done
  print(`No member has the address ${email}. Nothing was changed.`)
  return exitCodes.refused
}
