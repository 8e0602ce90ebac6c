import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type ProfileEdit, readProfile, updateProfile } from '@atrium/contract/profile.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { renameMember } from '../../page/member.data.ts'

/** The profile, and country names in the page's language. */
export const profileQuery = (lang: LocaleCode) =>
  queryOptions({
    queryKey: ['profile', lang],
    queryFn: ({ signal }) => call(readProfile, { query: { lang } }, { signal }),
  })

/** Changes the name in the header optimistically, and rolls it back if refused. */
export function useUpdateProfile(lang: LocaleCode) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (edit: ProfileEdit) => call(updateProfile, { body: edit }),
    onMutate: (edit) => ({ undo: renameMember(queryClient, edit) }),
    onError: (_problem, _edit, context) => context?.undo(),
    onSuccess: ({ member }) =>
      storeReply(queryClient, profileQuery(lang).queryKey, (profile) => profile && { ...profile, member }),
  })
}
