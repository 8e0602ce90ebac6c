import leven from 'leven'
import type { Logger } from 'pino'

/** Shorter names differ by a letter and are still names of their own. */
const shortest = 8

/**
 * Variables that are no setting, and are written almost like one: whoever set them believes that it works.
 * @param names of the settings that the program has
 */
export function misspelledSettings(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { name: string; meant: string }[] {
  const unknown = Object.keys(env).filter((name) => name.length >= shortest && !names.includes(name))
  return unknown.flatMap((name) => {
    const meant = names.find((setting) => isSlip(name, setting))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** One letter that is wrong, missing or too many, or two that changed places: `ATRIUM_PORT` is no slip for `ATRIUM_HOST`. */
function isSlip(written: string, meant: string): boolean {
  const distance = leven(written, meant)
  const lettersOf = (name: string) => [...name].sort().join('')
  return distance === 1 || (distance === 2 && lettersOf(written) === lettersOf(meant))
}

/** Says so at the start, for each; the program starts all the same: an environment may have what is nobody's business here. */
export function warnOfMisspelledSettings(
  logger: Pick<Logger, 'warn'>,
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): void {
  for (const { name, meant } of misspelledSettings(env, names)) {
    logger.warn({ variable: name, meant }, 'this variable is not a setting: is it misspelled?')
  }
}
