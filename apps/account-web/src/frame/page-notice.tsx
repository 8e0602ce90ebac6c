import type { PageData } from '@atrium/contract/session.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { createContext, use } from 'react'
import { useTranslation } from 'react-i18next'

export const NoticeContext = createContext<PageData['notice']>(null)

/** A notice from the server, shown once. */
export function PageNotice() {
  const { t } = useTranslation('frame')
  const notice = use(NoticeContext)
  if (notice !== 'roadmap_language') return null

  return (
    <div role="status">
      <Notice tone="info">{t('roadmapLanguage')}</Notice>
    </div>
  )
}
