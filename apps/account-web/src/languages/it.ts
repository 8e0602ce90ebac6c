export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/it/*.json',
    '!../../../../packages/locales/src/it/sso*.json',
    '!../../../../packages/locales/src/it/*mail.json',
    '!../../../../packages/locales/src/it/session.json',
    '!../../../../packages/locales/src/it/invoice.json',
  ],
  { import: 'default' },
)
