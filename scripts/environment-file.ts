import { existsSync, readFileSync } from 'node:fs'

// Imported for its effect, before anything reads a setting; npm runs scripts in the project's folder. The environment takes
// precedence. (`node --env-file-if-exists` does the same, but prints a line to standard error if there is no such file.)
try {
  if (existsSync('.env')) {
    // Throws the actual reason; `loadEnvFile` reports every failure as a missing file.
    readFileSync('.env')
    process.loadEnvFile()
  }
} catch (error) {
  process.stderr.write(`The file .env cannot be read: ${error instanceof Error ? error.message : String(error)}\n`)
  // The exit code of the commands for wrong settings.
  process.exit(2)
}
