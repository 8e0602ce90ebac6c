import { type ResolveFnOutput, registerHooks } from 'node:module'

// Preloaded (`node --import`) where programs start often. For each import of drizzle-orm, also by its own files, Node reads the 179 kB of its
// package.json again to find the path and format of a module: half of what starting a server takes. For each of our own, it looks for the
// file and its package.json, in all folders above: a tenth of a start.

const known = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context
    if (specifier.startsWith('.') && parentURL.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    if (/^\..*\.ts$/.test(specifier)) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('drizzle-orm')) return nextResolve(specifier, context)
    const resolved = known.get(specifier) ?? {
      ...nextResolve(specifier, context),
      format: 'module',
      shortCircuit: true,
    }
    known.set(specifier, resolved)
    return resolved
  },
})
