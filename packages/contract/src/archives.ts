import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** For a link with `download`, not for `call`. */
export const downloadArchive = endpoint({
  method: 'GET',
  path: '/account/archives/:id/file/',
  summary: 'A ZIP that was prepared for the member',
  limit: 'document',
  params: z.object({ id: z.uuid() }),
  mediaType: 'application/zip',
  reply: z.instanceof(ReadableStream),
})
