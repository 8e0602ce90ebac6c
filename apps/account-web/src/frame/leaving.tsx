import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  title: string
  address: string
}

/** A tab that links to the support site (000 §2). */
export function Leaving({ title, address }: Props) {
  const { t } = useTranslation('frame')
  useEffect(() => location.replace(address), [address])

  return (
    <PageFrame title={title}>
      <p role="status">
        <a href={address}>{t('leaving')}</a>
      </p>
    </PageFrame>
  )
}
