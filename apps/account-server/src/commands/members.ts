import { runCommand } from '@atrium/server-kit/command.ts'
import { membersCommand } from './members.command.ts'

process.exitCode = await runCommand(membersCommand, process)
