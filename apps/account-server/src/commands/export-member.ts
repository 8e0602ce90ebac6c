import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { emailForm } from '@atrium/contract/email.ts'
import { type ExitCode, exitCodes } from '@atrium/server-kit/command.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import { exportAddress, invoiceContent, type PersonalExport } from '../features/personal-data/export-member.service.ts'
import type { Command } from './command.ts'

interface Arguments {
  email: string
  folder: string
}

/** `export EMAIL --to FOLDER`: writes everything about whoever has this address. */
export const exportMemberCommand: Command = {
  usage: 'export EMAIL --to FOLDER',
  prepare(parameters) {
    const given = argumentsOf(parameters)
    return given && ((db, print) => writeExport(db, given, print))
  },
}

/** @throws TypeError for an unknown option */
function argumentsOf(parameters: readonly string[]): Arguments | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { to: { type: 'string' } },
  })
  const [email = '', ...more] = positionals.map((value) => value.trim())
  if (!email.includes('@') || !values.to || more.length > 0) return undefined
  return { email: emailForm(email), folder: values.to }
}

async function writeExport(db: Db, { email, folder }: Arguments, print: (line: string) => void): Promise<ExitCode> {
  const outcome = await exportAddress(db, { email, now: new Date() })
  if (outcome.kind === 'nobody') {
    print(`Nobody has the address ${email}. Nothing was written.`)
    return exitCodes.done
  }
  if (outcome.kind === 'several') {
    print(`Several members have the address ${email}: ${outcome.memberIds.join(', ')}. Nothing was written.`)
    return exitCodes.refused
  }
  await writeFiles(db, folder, outcome.export)
  print(`Written to ${folder}: account.json and ${outcome.export.files.length} invoices.`)
  return exitCodes.done
}

/** Readable by this user alone. @throws UsageError with what the file system says */
async function writeFiles(db: Db, folder: string, { data, files }: PersonalExport): Promise<void> {
  const json = Buffer.from(`${JSON.stringify(data, undefined, 2)}\n`)
  await writePrivate(join(folder, 'account.json'), json)
  for (const file of files) await writePrivate(join(folder, file.name), await invoiceContent(db, file))
}

async function writePrivate(path: string, content: Buffer): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, content, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`The export cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}
