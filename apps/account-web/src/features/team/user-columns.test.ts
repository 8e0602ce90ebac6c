import type { SubscriptionUser } from '@atrium/contract/team.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createInstance } from 'i18next'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { expect, test } from 'vitest'
import { type MemberPage, PageContext } from '../../page/page-data.ts'
import { useUserColumns } from './user-columns.tsx'

const email = 'kai@folio.test'

function Row() {
  const columns = useUserColumns({ onAct: () => undefined, onPreload: () => undefined })
  const user = { email } as SubscriptionUser
  return columns.find(({ key }) => key === 'email')?.render(user, [user])
}

async function rowFor(support: MemberPage['support']): Promise<string> {
  const i18n = createInstance()
  const resources = { en: { team: { you: '(you)' }, roles: {} } }
  await i18n.use(initReactI18next).init({ lng: 'en', resources, react: { useSuspense: false } })
  const page = { member: { email }, support } as MemberPage
  const inPage = createElement(PageContext, { value: page }, createElement(Row))
  const queried = createElement(QueryClientProvider, { client: new QueryClient() }, inPage)
  return renderToString(createElement(I18nextProvider, { i18n }, queried))
}

test('the row of the member says that it is theirs, but not to a support agent', async () => {
  expect(await rowFor(null)).toContain('(you)')
  expect(await rowFor({ agentName: 'Sam Okoye', endsAt: 2_000_000_000 })).not.toContain('(you)')
})
