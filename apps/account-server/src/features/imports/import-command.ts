import { runCommand } from '@atrium/server-kit/command.ts'
import { importCommand } from './imports.command.ts'

process.exitCode = await runCommand(importCommand, process)
