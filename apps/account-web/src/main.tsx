import './strict-schemas.ts'
import '@atrium/ui/base.css'
import './shell/boot.css'
import { showBrandIcon } from '@atrium/ui/brand-icon.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { createRoot } from 'react-dom/client'
import { callAs } from './api/call.ts'
import { preloadDictionaries } from './api/dictionaries.data.ts'
import { newQueryClient } from './api/query-client.ts'
import { App, SignInFailedApp } from './app.tsx'
import { loadLanguage } from './languages.ts'
import { type MemberPage, type Page, readPage } from './page-data.ts'
import { newRouter } from './routes.tsx'
import { warmTab } from './shell/warm-tab.ts'
import { forgetAttempts, mayTrySignIn } from './sign-on/attempts.ts'
import { keepReturnAddress, takeReturnAddress } from './sign-on/return-address.ts'

/**
 * Milliseconds that the page waits for its tab. Within them it appears whole; a skeleton, once shown, React keeps for
 * 300 ms at the least.
 */
const patience = 150

void start(readPage(document))

async function start(page: Page) {
  const { member, notice, signInUrl } = page.data
  if (member) return showAccount(page, { locale: page.locale, settings: page.data.settings, member })

  if (signInUrl && notice === null && mayTrySignIn(sessionStorage, Date.now())) {
    keepReturnAddress(sessionStorage, location)
    location.replace(signInUrl)
    return
  }
  await showSignInFailed(page)
}

async function showAccount(page: Page, memberPage: MemberPage) {
  forgetAttempts(sessionStorage)
  callAs(memberPage.member.id)
  const kept = takeReturnAddress(sessionStorage, location.origin)
  if (kept) {
    // An address of another language is another page.
    const isHere = new URL(kept, location.origin).pathname === location.pathname
    if (!isHere) return location.replace(kept)
    history.replaceState(history.state, '', kept)
  }

  // Texts, the tab's code and the tab's data load side by side.
  const language = loadLanguage(page.locale)
  const queryClient = newQueryClient()
  const warm = warmTab({ queryClient, page: memberPage, search: location.search })
  const patienceEnd = new Promise((resolve) => setTimeout(resolve, patience))
  const [i18n] = await Promise.all([language, Promise.race([warm, patienceEnd])])

  showBrandIcon(document, page.data.settings.brandColor)
  root().render(
    <App
      page={memberPage}
      nonce={page.nonce}
      notice={page.data.notice}
      i18n={i18n}
      queryClient={queryClient}
      router={newRouter(memberPage)}
    />,
  )
  preloadDictionaries(queryClient, page.locale.code)
}

async function showSignInFailed(page: Page) {
  forgetAttempts(sessionStorage)
  const i18n = await loadLanguage(page.locale)
  showBrandIcon(document, page.data.settings.brandColor)
  root().render(<SignInFailedApp page={page} i18n={i18n} />)
}

function root() {
  const element = document.getElementById('root')
  if (!element) throw new Error('The page has no root.')
  return createRoot(element, { onCaughtError: report })
}

/** A call that failed is told in place; anything else is a mistake of ours, for whoever collects those. */
function report(problem: unknown) {
  if (!(problem instanceof CallProblem)) reportError(problem)
}
