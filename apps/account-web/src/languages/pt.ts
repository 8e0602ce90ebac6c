export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/pt/*.json',
    '!../../../../packages/locales/src/pt/sso*.json',
    '!../../../../packages/locales/src/pt/*mail.json',
    '!../../../../packages/locales/src/pt/session.json',
    '!../../../../packages/locales/src/pt/invoice.json',
  ],
  { import: 'default' },
)
