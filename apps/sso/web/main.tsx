import '@atrium/ui/base.css'
import '@mantine/core/styles/PasswordInput.css'
import './page.css'
import { showBrandIcon } from '@atrium/ui/brand-icon.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { goToLatestLanguage } from './page/latest-language.ts'
import { readPage } from './page/page-data.ts'
import { loadLanguage } from './texts.ts'

void start()

async function start() {
  const page = readPage(document)
  if (goToLatestLanguage(page.data.locale)) return
  showBrandIcon(document, page.data.brandColor)
  const i18n = await loadLanguage(page.data)
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root.')
  createRoot(root).render(<App page={page} i18n={i18n} />)
}
