import { hasGrid } from '@atrium/contract/tabs.ts'
import { AboveContent } from '@atrium/ui/page-frame.tsx'
import { useDocumentTitle } from '@mantine/hooks'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { SupportSessionNotices } from '../features/security/support-session-notices.tsx'
import { DialogHistory } from '../page/dialog-history.tsx'
import { usePage } from '../page/page-data.ts'
import { ScreenSkeleton } from '../page/screen-skeleton.tsx'
import { SectionBoundary } from '../page/section-boundary.tsx'
import type { Tab } from '../page/tab.ts'
import { Frame } from './frame.tsx'
import { Leaving } from './leaving.tsx'
import { PageDialogs } from './page-dialogs.tsx'
import { PageNotice } from './page-notice.tsx'
import { SignInGate } from './sign-in-gate.tsx'
import { TabsContext, useTab } from './use-tabs.ts'
import { Worry } from './worry.tsx'

/** The account page: the frame with the screen of the address's tab. */
export function AccountPage({ tabs }: { tabs: readonly Tab[] }) {
  return (
    <TabsContext value={tabs}>
      <DialogHistory>
        <OpenTab />
      </DialogHistory>
    </TabsContext>
  )
}

function OpenTab() {
  const { t } = useTranslation('frame')
  const { settings, support } = usePage()
  const tab = useTab()
  const title = t(`tabs.${tab.name}`)
  useDocumentTitle(`${title} · ${settings.brandName}`)
  const lead = t(`leads.${tab.name}`, { defaultValue: '' })
  const skeleton = <ScreenSkeleton title={title} lead={lead} hasGrid={hasGrid(tab)} />

  return (
    <Frame tab={tab}>
      {!support && <SupportSessionNotices />}
      {'Screen' in tab ? (
        <Suspense key={tab.name} fallback={skeleton}>
          <AboveContent
            value={
              <>
                <Worry tab={tab} />
                <PageNotice />
              </>
            }
          >
            <SectionBoundary title={title} skeleton={skeleton}>
              <tab.Screen />
              <PageDialogs />
            </SectionBoundary>
          </AboveContent>
        </Suspense>
      ) : (
        <Leaving title={title} address={settings[tab.address]} />
      )}
      <SignInGate />
    </Frame>
  )
}
