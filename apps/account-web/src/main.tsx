import '@atrium/ui/strict-schemas.ts'
import '@atrium/ui/base.css'
import type { SessionMember, SupportPage } from '@atrium/contract/session.ts'
import { supportPath } from '@atrium/contract/support-sessions.ts'
import { showBrandIcon } from '@atrium/ui/brand-icon.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { watchPresses } from '@atrium/ui/double-press.ts'
import { type ReactNode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { callAs, callBelow } from './api/call.ts'
import { newQueryClient } from './api/query-client.ts'
import { checkRestoredPage } from './api/restored-page.ts'
import { App, SignInFailedApp } from './app.tsx'
import { invitationIn } from './frame/invitation-address.ts'
import { preloadTab } from './frame/preload-tab.ts'
import { storeReturnAddress, takeReturnAddress } from './frame/return-address.ts'
import { forgetAttempts, mayTrySignIn } from './frame/sign-in-attempts.ts'
import { preloadDictionaries } from './page/dictionaries.data.ts'
import { type MemberPage, type Page, readPage } from './page/page-data.ts'
import { loadLanguage, loadTexts } from './page/texts.ts'
import { newRouter } from './routes.tsx'
import { tabsOf } from './tabs.ts'

/** Milliseconds that the page waits for its tab before it shows a skeleton, which React then shows for at least 300 ms. */
const skeletonAfterMs = 150

void start(readPage(document))

async function start(page: Page) {
  const { support } = page.data
  if (support) return page.data.member ? showSupported(page, page.data.member) : showSupportForm(page, support)

  const invitation = invitationIn(location, sessionStorage)
  if (invitation !== undefined && page.data.notice !== 'sign_in_failed') return showInvitation(page, invitation)
  const { member, notice, signInUrl } = page.data
  if (member) return returnToAccount(page, member)

  if (signInUrl && notice === null && mayTrySignIn(sessionStorage, Date.now())) {
    storeReturnAddress(sessionStorage, location)
    location.replace(signInUrl)
    return
  }
  await showSignInFailed(page)
}

/** The account, at the address that was wanted before the sign-in. */
async function returnToAccount(page: Page, member: SessionMember) {
  forgetAttempts(sessionStorage)
  const wanted = takeReturnAddress(sessionStorage, location)
  if (wanted) {
    const before = location.search
    history.replaceState(history.state, '', wanted.address)
    // The server has not seen this address: not every tab exists in every language.
    if (wanted.isTranslated && location.search !== before) return location.reload()
  }
  await showAccount(page, member, '')
}

/** A member's account, as a support agent sees it. */
async function showSupported(page: Page, member: SessionMember) {
  callBelow(supportPath)
  await showAccount(page, member, supportPath)
}

async function showAccount(page: Page, member: SessionMember, basePath: string) {
  callAs(member.id)
  const { settings, supportAccessUntil, support } = page.data
  const memberPage: MemberPage = { locale: page.locale, settings, member, supportAccessUntil, support, basePath }

  // Texts, code and data of the tab load in parallel.
  const language = loadLanguage(page.locale)
  const queryClient = newQueryClient()
  checkRestoredPage(() => void queryClient.invalidateQueries())
  const tabs = tabsOf(memberPage.settings)
  const preloaded = preloadTab({ tabs, queryClient, page: memberPage, search: location.search })
  const waited = new Promise((resolve) => setTimeout(resolve, skeletonAfterMs))
  const router = newRouter(page.locale, tabs, basePath)
  // Before the page is rendered: what it would load then is rendered in one go.
  const [i18n] = await Promise.all([language, router.load(), Promise.race([preloaded, waited])])

  showBrandIcon(document, page.data.settings.brandColor)
  render(
    <App
      page={memberPage}
      nonce={page.nonce}
      notice={page.data.notice}
      i18n={i18n}
      queryClient={queryClient}
      router={router}
    />,
  )
  preloadDictionaries(queryClient, page.locale.code)
}

/** The page of an invitation's link, also for people who are not signed in. */
async function showInvitation(page: Page, token: string) {
  const [{ InvitationApp }, i18n] = await Promise.all([
    import('./invitation-app.tsx'),
    loadLanguage(page.locale),
    loadTexts('invitations'),
  ])
  if (page.data.member) callAs(page.data.member.id)
  // After a sign-in the address has lost it.
  history.replaceState(history.state, '', `${location.pathname}?invitation=${encodeURIComponent(token)}`)
  showBrandIcon(document, page.data.settings.brandColor)
  render(<InvitationApp page={page} token={token} i18n={i18n} queryClient={newQueryClient()} />)
}

/** Where a support agent says whose account they need to see, and why. */
async function showSupportForm(page: Page, { agentName }: SupportPage) {
  const [{ SupportApp }, i18n] = await Promise.all([
    import('./support-app.tsx'),
    loadLanguage(page.locale),
    loadTexts('support'),
  ])
  showBrandIcon(document, page.data.settings.brandColor)
  render(<SupportApp page={page} agentName={agentName} i18n={i18n} queryClient={newQueryClient()} />)
}

async function showSignInFailed(page: Page) {
  forgetAttempts(sessionStorage)
  const i18n = await loadLanguage(page.locale)
  showBrandIcon(document, page.data.settings.brandColor)
  render(<SignInFailedApp page={page} i18n={i18n} />)
}

function render(app: ReactNode) {
  const element = document.getElementById('root')
  if (!element) throw new Error('The page has no root.')
  watchPresses()
  const root = createRoot(element, { onCaughtError: report })
  // In slices: a phone answers a tap meanwhile.
  startTransition(() => root.render(<InPlaceOfFirstPaint>{app}</InPlaceOfFirstPaint>))
}

/** The frame that the server has drawn stands until ours does. */
function InPlaceOfFirstPaint({ children }: { children: ReactNode }) {
  useLayoutEffect(() => document.getElementById('first-paint')?.remove(), [])
  return children
}

/** A failed call is shown in place; anything else is a bug, and reported. */
function report(problem: unknown) {
  if (!(problem instanceof CallProblem)) reportError(problem)
}
