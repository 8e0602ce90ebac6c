export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/de/*.json',
    '!../../../../packages/locales/src/de/sso*.json',
    '!../../../../packages/locales/src/de/*mail.json',
    '!../../../../packages/locales/src/de/session.json',
    '!../../../../packages/locales/src/de/invoice.json',
  ],
  { import: 'default' },
)
