import { useDocumentTitle } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { usePage } from '../page-data.ts'
import { Frame } from './frame.tsx'
import { Leaving } from './leaving.tsx'
import { PageDialogs } from './page-dialogs.tsx'
import { PageNotice } from './page-notice.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { SectionBoundary } from './section-boundary.tsx'
import { SignedOutGate } from './signed-out-gate.tsx'
import { useTab } from './use-tab.ts'

/** The one account page: the frame, and in it the screen of the tab that the address names. */
export function AccountPage() {
  const { t } = useTranslation('shell')
  const { settings } = usePage()
  const tab = useTab()
  const title = t(`tabs.${tab.name}`)
  useDocumentTitle(`${title} · ${settings.brandName}`)

  return (
    <Frame tab={tab}>
      <PageNotice />
      {'Screen' in tab ? (
        <SectionBoundary key={tab.name} title={title} skeleton={<ScreenSkeleton title={title} />}>
          <tab.Screen />
          <PageDialogs />
        </SectionBoundary>
      ) : (
        <Leaving title={title} address={settings[tab.address]} />
      )}
      <SignedOutGate />
    </Frame>
  )
}
