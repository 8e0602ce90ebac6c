import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import { CardSkeleton } from '../../page/screen-skeleton.tsx'
import { SectionBoundary } from '../../page/section-boundary.tsx'
import { profileQuery } from './profile.data.ts'
import { EmptyProfile, ProfileDetails } from './profile-details.tsx'

const { Dialog: EditProfileDialog, preload } = loadableDialog(
  async () => (await import('./edit-profile-dialog.tsx')).EditProfileDialog,
)

/** 000 §2.1. */
export function ProfileScreen() {
  const { t } = useTranslation('profile')
  const { t: frame } = useTranslation('frame')
  const { locale } = usePage()
  const { data: profile } = useQuery(profileQuery(locale.code))
  const [isEditing, setEditing] = useState(false)

  return (
    <PageFrame
      title={frame('tabs.profile')}
      lead={frame('leads.profile')}
      action={
        <Button
          leftSection={<IconPencil size={16} stroke={1.6} />}
          onClick={() => setEditing(true)}
          onMouseEnter={preload}
          onFocus={preload}
          disabled={!profile}
        >
          {t('edit')}
        </Button>
      }
    >
      <SectionBoundary
        // Resets the failure when a later background request has loaded the profile.
        key={profile ? 'loaded' : 'loading'}
        sentence={t('loadFailed')}
        skeleton={<CardSkeleton lines={5} />}
        beneathFailure={<EmptyProfile />}
      >
        <ProfileDetails />
      </SectionBoundary>
      {isEditing && profile && <EditProfileDialog profile={profile} onClose={() => setEditing(false)} />}
    </PageFrame>
  )
}
