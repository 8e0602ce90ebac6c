/** Every text of the page in one language: one chunk. Texts that only servers and the sign-on host use stay out. */
export const texts = import.meta.glob<object>(
  ['../../../../packages/locales/src/de/*.json', '!**/sso*.json', '!**/mail*.json', '!**/session.json'],
  { eager: true, import: 'default' },
)
