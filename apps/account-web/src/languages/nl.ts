export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/nl/*.json',
    '!../../../../packages/locales/src/nl/sso*.json',
    '!../../../../packages/locales/src/nl/*mail.json',
    '!../../../../packages/locales/src/nl/session.json',
    '!../../../../packages/locales/src/nl/invoice.json',
  ],
  { import: 'default' },
)
