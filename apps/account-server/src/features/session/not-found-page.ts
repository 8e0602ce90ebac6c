import { localePath } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { sendPlainPage } from '../../page/plain-page.ts'
import { chosenLocale } from './locale-choice.ts'

/** A person who mistyped an address gets a sentence and a way on; a program gets the problem. */
export function notFoundPage({ config }: Deps) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const locale = chosenLocale(request)
    const t = serverTexts(locale.folder, 'session')
    return sendPlainPage(reply.code(404), {
      locale,
      title: config.BRAND_NAME,
      sentence: t('notFound'),
      link: { href: localePath(locale, '/account'), label: t('toAccount') },
    })
  }
}
