/**
 * What a command was given. npm takes `--dry-run` for itself where it does not come after `--`, and the command would do what it
 * was only to try: npm says so in the environment, and it is meant all the same.
 */
export function commandArguments({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): string[] {
  const given = argv.slice(2)
  const isTakenByNpm = env.npm_config_dry_run === 'true' && !given.includes('--dry-run')
  return isTakenByNpm ? [...given, '--dry-run'] : given
}
