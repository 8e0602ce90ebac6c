/**
 * The language that a person chose in the menu of a page, for a day: as long as the link of a sign-up. Only the menu writes it, never an
 * address, so that nobody's link can choose for somebody else. It contains no secret.
 */
export function chosenLocaleCookie(locale: string, protocol: string): string {
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${chosenLocaleCookieName}=${locale}; Max-Age=86400; Path=/; SameSite=Lax${secure}`
}

export const chosenLocaleCookieName = 'sso_chosen_locale'
