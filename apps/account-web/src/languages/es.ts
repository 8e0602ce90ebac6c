export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/es/*.json',
    '!../../../../packages/locales/src/es/sso*.json',
    '!../../../../packages/locales/src/es/*mail.json',
    '!../../../../packages/locales/src/es/session.json',
    '!../../../../packages/locales/src/es/invoice.json',
  ],
  { import: 'default' },
)
