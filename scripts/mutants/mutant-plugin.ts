import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'
import { projectFolder } from '../start/data-directory.ts'

const Mutation = z.object({ file: z.string(), start: z.int(), end: z.int(), mutant: z.string() })

/** Replaces a piece of one source file while tests are run; the file stays as it is. For `npm run mutants`. */
export function mutantPlugin(environment: NodeJS.ProcessEnv): Plugin[] {
  if (!environment.ATRIUM_MUTANT) return []
  const { file, start, end, mutant } = Mutation.parse(JSON.parse(environment.ATRIUM_MUTANT))
  return [
    {
      name: 'atrium-mutant',
      enforce: 'pre',
      transform(code, id) {
        if (relative(projectFolder, id).replaceAll(sep, '/') !== file) return undefined
        return { code: code.slice(0, start) + mutant + code.slice(end), map: null }
      },
    },
  ]
}
