import { SupportRequest, startSupportSession } from '@atrium/contract/support-sessions.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { call } from '../../api/call.ts'

const initialValues = { email: '', reason: '', ticket: '' }

/** Opens the account when the session has started; input stays after any failure. */
export function useSupportForm() {
  return useContractForm({
    initialValues,
    schema: SupportRequest,
    send: (body) => call(startSupportSession, { body }),
    onSent: ({ redirectUrl }) => location.assign(redirectUrl),
    problemFields: { support_not_granted: 'email' },
  })
}
