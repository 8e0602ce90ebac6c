import { LicensesScreen } from '../features/licenses/licenses-screen.tsx'
import { ManageUserScreen } from '../features/team/manage-user-screen.tsx'
import { TeamSearch } from '../features/team/team.search.ts'
import { useAddress } from '../page/use-address.ts'

/** The tab License Management: licenses, or the users of the subscription in the address (000 §2, `subId`). */
export function LicenseManagementScreen() {
  const [{ subId }] = useAddress(TeamSearch)
  return subId ? <ManageUserScreen key={subId} subId={subId} /> : <LicensesScreen />
}
