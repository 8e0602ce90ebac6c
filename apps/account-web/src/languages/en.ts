export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/en/*.json',
    '!../../../../packages/locales/src/en/sso*.json',
    '!../../../../packages/locales/src/en/*mail.json',
    '!../../../../packages/locales/src/en/session.json',
    '!../../../../packages/locales/src/en/invoice.json',
  ],
  { import: 'default' },
)
