import type { PageData } from '@atrium/contract/session.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { createContext, use } from 'react'
import { useTranslation } from 'react-i18next'
import { useTab } from './use-tabs.ts'

export const NoticeContext = createContext<PageData['notice']>(null)

/** A notice from the server, shown once, on the tab that it is about. */
export function PageNotice() {
  const { t } = useTranslation('frame')
  const notice = use(NoticeContext)
  const tab = useTab()
  if (notice !== 'roadmap_language' || tab.name !== 'roadmap') return null

  return (
    <div role="status">
      <Notice tone="info">{t('roadmapLanguage')}</Notice>
    </div>
  )
}
