import { LicenseManagementScreen } from './features/licenses/license-management-screen.tsx'
import { ManageUserScreen } from './features/team/manage-user-screen.tsx'
import { TeamSearch } from './features/team/team.search.ts'
import { useAddress } from './shell/use-address.ts'

/** The tab License Management: licenses, or the users of the subscription that the address names (000 §2, `subId`). */
export function LicenseManagement() {
  const [{ subId }] = useAddress(TeamSearch)
  return subId ? <ManageUserScreen key={subId} subId={subId} /> : <LicenseManagementScreen />
}
