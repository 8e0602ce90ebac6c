import leven from 'leven'
import type { Logger } from 'pino'

/** Letters by which a name may differ from the one that was meant, and how long it must be for that to say something. */
const mostDifferent = 2
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
    const meant = names.find((setting) => leven(name, setting) <= mostDifferent)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** Says so at the start, for each; the program starts all the same: an environment may have what is nobody's business here. */
export function warnOfMisspelledSettings(
  logger: Pick<Logger, 'warn'>,
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): void {
  for (const { name, meant } of misspelledSettings(env, names)) {
    logger.warn({ name, meant }, 'this variable is not a setting: is it misspelled?')
  }
}
