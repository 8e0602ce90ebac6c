export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/fr/*.json',
    '!../../../../packages/locales/src/fr/sso*.json',
    '!../../../../packages/locales/src/fr/*mail.json',
    '!../../../../packages/locales/src/fr/session.json',
    '!../../../../packages/locales/src/fr/invoice.json',
  ],
  { import: 'default' },
)
