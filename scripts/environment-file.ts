import { existsSync, readFileSync } from 'node:fs'

// Imported for its effect, before anything reads a setting; npm runs scripts in the project's folder. The environment itself
// comes first. (`node --env-file-if-exists` does the same, but says so on standard error wherever there is no such file.)
try {
  if (existsSync('.env')) {
    // Says why it cannot be read; `loadEnvFile` says of each that it does not exist.
    readFileSync('.env')
    process.loadEnvFile()
  }
} catch (error) {
  process.stderr.write(`The file .env cannot be read: ${error instanceof Error ? error.message : String(error)}\n`)
  // What the commands answer wrong settings with.
  process.exit(2)
}
