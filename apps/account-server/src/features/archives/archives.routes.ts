import { Readable } from 'node:stream'
import { downloadArchive } from '@atrium/contract/archives.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { archiveContent, downloadableArchive } from './archives.queries.ts'
import { fileName } from './archives.rules.ts'

export function archivesRoutes(app: FastifyInstance, { db, wallClock }: Deps) {
  serve(app, downloadArchive, async ({ params }, member, { reply }) => {
    const archive = await downloadableArchive(db, member, { id: params.id, now: wallClock() })
    if (!archive) throw new Problem('not_found')
    reply.header('content-disposition', `attachment; filename="${fileName(archive)}"`)
    reply.header('content-length', archive.size)
    return Readable.toWeb(Readable.from(archiveContent(db, archive), { objectMode: false }))
  })
}
