export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/ru/*.json',
    '!../../../../packages/locales/src/ru/sso*.json',
    '!../../../../packages/locales/src/ru/*mail.json',
    '!../../../../packages/locales/src/ru/session.json',
    '!../../../../packages/locales/src/ru/invoice.json',
  ],
  { import: 'default' },
)
