import { UsageError } from './usage-error.ts'

/**
 * What a command was given. npm takes options for itself that do not come after `--`, and says so in the environment. A dry
 * run is meant all the same: without it the command would do what it was only to try. Others are refused: npm keeps their
 * names, and not what belongs to them.
 * @param options that the command has, without their dashes
 * @throws UsageError
 */
export function commandArguments(
  { argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>,
  options: readonly string[],
): string[] {
  const given = argv.slice(2)
  const taken = options.filter((option) => isTakenByNpm(env, option) && !given.includes(`--${option}`))
  const lost = taken.find((option) => option !== 'dry-run')
  if (lost) throw new UsageError(`npm has taken --${lost} for itself: put -- before what is given to the command.`)
  return [...given, ...taken.map((option) => `--${option}`)]
}

/**
 * npm also completes a name to one of its own: `--replace --dry-run` is `--replace-registry-host=--dry-run` to it. What somebody
 * set there on purpose is never like that.
 */
function isTakenByNpm(env: NodeJS.ProcessEnv, option: string): boolean {
  const name = `npm_config_${option.replaceAll('-', '_')}`
  return Object.entries(env).some(([key, value = '']) =>
    key === name ? value !== '' && value !== 'false' : key.startsWith(`${name}_`) && /^(true$|-)/.test(value),
  )
}
