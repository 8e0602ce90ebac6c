import leven from 'leven'
import type { Logger } from 'pino'

/** A shorter name that has another letter may be another variable; one with two letters swapped is a slip. */
const shortestWithAnotherLetter = 8

/**
 * Variables whose names are almost those of settings, probably by mistake.
 * @param names of the program's settings
 */
export function misspelledSettings(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { name: string; meant: string }[] {
  const unknown = Object.keys(env).filter((name) => !names.includes(name))
  return unknown.flatMap((name) => {
    const meant = names.find((setting) => isSlip(name, setting))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** One letter wrong, missing or added, or two letters swapped. `ATRIUM_PORT` is not a slip for `ATRIUM_HOST`. */
function isSlip(written: string, meant: string): boolean {
  const distance = leven(written, meant)
  const lettersOf = (name: string) => [...name].sort().join('')
  if (distance === 2) return lettersOf(written) === lettersOf(meant)
  return distance === 1 && written.length >= shortestWithAnotherLetter
}

/** The domains of documents and samples (RFC 2606). */
const sampleDomain = /\bexample\.(com|net|org)\b/i

/**
 * Logs a warning for each misspelled name, and for each setting that still has the sample's address. The program starts all the
 * same: the environment may have variables of other programs.
 */
export function warnOfSuspiciousSettings(
  logger: Pick<Logger, 'warn'>,
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): void {
  for (const { name, meant } of misspelledSettings(env, names)) {
    logger.warn({ variable: name, meant }, 'this variable is not a setting: is it misspelled?')
  }
  for (const name of names.filter((setting) => sampleDomain.test(env[setting] ?? ''))) {
    logger.warn({ setting: name }, 'this setting has an address of example.com, as the sample has')
  }
}
