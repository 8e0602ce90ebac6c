import type { Filter } from '../store/filters.ts'
import { find, isDeleted, listed } from '../store/store.ts'
import type { Kind, StoredOf } from '../store/stored.ts'
import { paging } from '../wire/parameters.rules.ts'
import { noSuch } from '../wire/refusal.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'

/** What reading, listing and deleting objects of a kind needs to know. */
interface Resource<K extends Kind> {
  kind: K
  /** Below `/v1`. */
  path: string
  /** Its name in the provider's messages, if it is not the kind. */
  noun?: string
  /** The parameter that the provider names when there is no such object. */
  param?: string
  filters: Readonly<Record<string, Filter>>
  /** The objects as they are at the moment of the call, if that is not how they are stored. */
  shown?(call: Call, objects: StoredOf<K>['object'][]): Promise<StoredOf<K>['object'][]>
  /** Deletes one, if the provider can. @throws Refusal if there is none */
  remove?(call: Call, id: string): Promise<void>
  /** A deleted one is still found, with nothing but its id. */
  leavesId?: true
}

/** Mounts reading, listing and, if it can be deleted, deleting. */
export function serveResource<K extends Kind>(api: Api, resource: Resource<K>): void {
  const { kind, path, noun = kind, param = 'id', shown, remove, leavesId } = resource
  const deleted = (id: string) => ({ id, object: kind, deleted: true })

  api.serve({
    method: 'GET',
    path: `${path}/:id`,
    takes: {},
    async run(call, _given, { id }) {
      const found = await find(call.tx, kind, id)
      if (!found && leavesId && (await isDeleted(call.tx, kind, id))) return deleted(id)
      if (!found) throw noSuch(noun, id, { param, status: 404 })
      const [object] = (await shown?.(call, [found.object])) ?? []
      return object ?? found.object
    },
  })
  serveList(api, resource)
  if (!remove) return
  api.serve({
    method: 'DELETE',
    path: `${path}/:id`,
    takes: {},
    async run(call, _given, { id }) {
      await remove(call, id)
      return deleted(id)
    },
  })
}

/** Mounts the list alone. */
export function serveList<K extends Kind>(
  api: Api,
  { kind, path, noun = kind, filters, shown }: Omit<Resource<K>, 'remove' | 'param' | 'leavesId'>,
): void {
  api.serve({
    method: 'GET',
    path,
    takes: { ...filters, ...paging },
    async run(call, { limit, starting_after, ending_before, ...conditions }) {
      const page = { limit, starting_after, ending_before }
      const found = await listed(call.tx, { kind, noun, url: `/v1${path}`, page, where: Object.values(conditions) })
      return shown ? { ...found, data: await shown(call, found.data) } : found
    },
  })
}
