import type { Page } from '@playwright/test'

/** A picture that is taken in each view. */
export interface Shot {
  name: string
  /** Who is signed in; without it, a page of another program, where nobody is. */
  as?: { email: string; password: string }
  /** Without the prefix of the language. Names in braces stand for ids that the demo's load gave. */
  path: string
  /** Where the path is, unless in the account area, or at sso for who is not signed in. */
  program?: 'account' | 'sandbox' | 'sso'
  /** Steps before the picture is taken. They know no language. */
  act?(page: Page): Promise<void>
}
