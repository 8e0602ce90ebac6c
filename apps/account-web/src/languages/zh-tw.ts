export const texts = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/zh-tw/*.json',
    '!../../../../packages/locales/src/zh-tw/sso*.json',
    '!../../../../packages/locales/src/zh-tw/*mail.json',
    '!../../../../packages/locales/src/zh-tw/session.json',
    '!../../../../packages/locales/src/zh-tw/invoice.json',
  ],
  { import: 'default' },
)
