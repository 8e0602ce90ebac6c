export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/ja-jp/*.json',
    '!../../../../packages/locales/src/ja-jp/sso*.json',
    '!../../../../packages/locales/src/ja-jp/*mail.json',
    '!../../../../packages/locales/src/ja-jp/session.json',
    '!../../../../packages/locales/src/ja-jp/invoice.json',
  ],
  { import: 'default' },
)
