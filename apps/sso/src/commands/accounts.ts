import { runCommand } from '@atrium/server-kit/command.ts'
import { accountsCommand } from './accounts.command.ts'

process.exitCode = await runCommand(accountsCommand, process)
