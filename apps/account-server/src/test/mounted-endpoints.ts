import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '@atrium/contract/endpoint.ts'
import type { newWorld } from './world.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** Every endpoint of the account page that the server has mounted. */
export async function mountedEndpoints(world: World): Promise<Endpoint[]> {
  const { paths } = (await world.request({ method: 'GET', url: '/account/openapi.json' })).json()
  const folder = join(import.meta.dirname, '../../../../packages/contract/src')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  const modules = await Promise.all(files.map((name): Promise<object> => import(join(folder, name))))
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isEndpoint)
    .filter(({ method, path }) => paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()])
    .filter(({ path, access }) => path.startsWith('/account/') && access !== 'device')
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}
