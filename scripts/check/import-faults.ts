import { posix } from 'node:path'
import { refusal } from './boundaries.rules.ts'
import { importsOf } from './imports-of.ts'

/** The forbidden imports of a file, one message each. `file` is relative to the project folder. */
export function importFaults(file: string, source: string): string[] {
  return importsOf(source).flatMap((specifier) => {
    const reason = refusal(file, targetOf(file, specifier))
    return reason ? [`${file} imports ${specifier}: ${reason}.`] : []
  })
}

/** `./x.ts` and `@atrium/contract/x.ts` as paths relative to the project folder; a library by its name. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const [, name = '', path = ''] = /^@atrium\/([^/]+)\/?(.*)$/.exec(specifier) ?? []
  if (name === '') return specifier
  const folder = ['account-server', 'account-web', 'sso', 'sandbox'].includes(name) ? 'apps' : 'packages'
  return `${folder}/${name}/src/${path}`
}
