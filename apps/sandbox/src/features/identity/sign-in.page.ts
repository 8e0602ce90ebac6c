import { type Html, html } from '../../page/html.ts'
import type { Company } from './companies.ts'
import { faults } from './people.ts'

interface SignInPage {
  company: Company
  /** Where the form is sent. */
  action: string
  /** What the application asks for: `openid profile email`. */
  scope: string
  hint: string
  trouble?: string
}

/** Who signs in, and whether they consent: one page instead of a provider's several. */
export function signInPage({ company, action, scope, hint, trouble }: SignInPage) {
  return {
    title: `Sandbox ${company.title} – sign in`,
    standsFor: company.title,
    isAlone: true,
    content: html`
<p class="lead">Nobody is asked for a password here: say who signs in. The application asks for: ${scope}.</p>
${trouble !== undefined && html`<p role="alert">${trouble}</p>`}
<form class="shop" action="${action}" method="post">
<label>Email <input name="email" type="text" inputmode="email" autocomplete="off" value="${hint}" required autofocus></label>
<label>First name <input name="firstName" autocomplete="off"></label>
<label>Last name <input name="lastName" autocomplete="off"></label>
${company.realm && choice(company.realm.label, 'realm', company.realm.choices)}
${choice('The email address is', 'sharing', sharings(company))}
<details><summary>More</summary>
<label>Account, if this address has several here <input name="account" autocomplete="off"></label>
${choice(
  'What goes wrong',
  'fault',
  Object.entries(faults).map(([id, name]) => ({ id, name })),
)}
</details>
<div class="bar">
<button name="answer" value="allow">Continue</button>
<button name="answer" value="cancel" formnovalidate>Cancel</button>
<button name="answer" value="fail" formnovalidate>Fail with an error</button>
</div>
</form>`,
  }
}

function choice(label: string, name: string, choices: readonly { id: string; name: string }[]): Html {
  const options = choices.map((entry) => html`<option value="${entry.id}">${entry.name}</option>`)
  return html`<label>${label} <select name="${name}">${options}</select></label>`
}

function sharings({ confirmsEmail, hostsEmail }: Company) {
  return confirmsEmail
    ? [
        { id: 'confirmed', name: 'confirmed' },
        ...(hostsEmail ? [{ id: 'external', name: 'confirmed once, in a mailbox that it does not host' }] : []),
        { id: 'unconfirmed', name: 'not confirmed' },
        { id: 'none', name: 'not passed on' },
      ]
    : [
        { id: 'unconfirmed', name: 'passed on' },
        { id: 'none', name: 'not passed on' },
      ]
}

/** The sign-in was finished, or is too old. */
export function noSignInPage(company: Company) {
  return {
    title: 'This sign-in is over',
    standsFor: company.title,
    isAlone: true,
    content: html`<p class="lead">Go back to the application, and start again.</p>`,
  }
}
