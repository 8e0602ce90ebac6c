import { seatTypes } from '@atrium/contract/seat-types.ts'
import { Choice, ChoiceList } from '@atrium/ui/choice-list.tsx'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../page/use-role-name.ts'
import classes from './team.module.css'

type SetupType = 'member' | 'setup-admin'

interface Props {
  value: SetupType
  /** Free seats. */
  free: number
  hasSetupAdmins: boolean
  onChange(value: SetupType): void
  disabled: boolean
}

/** As what people are invited. A product without Setup Admins has Members only, with their credits (001 §4). */
export function RoleChoice({ value, free, hasSetupAdmins, onChange, disabled }: Props) {
  const { t } = useTranslation('team')
  const roleName = useRoleName()
  if (!hasSetupAdmins) return <p className={classes.lead}>{t('add.assistant')}</p>

  return (
    <div className={classes.roles}>
      <ChoiceList legend={t('add.role')} disabled={disabled}>
        <Choice
          name="role"
          value="member"
          isChosen={value === 'member'}
          isDisabled={free === 0}
          onChoose={() => onChange('member')}
          isNoteBelow
          note={t('add.member', { count: free })}
        >
          {roleName(seatTypes.member)}
        </Choice>
        <Choice
          name="role"
          value="setup-admin"
          isChosen={value === 'setup-admin'}
          onChoose={() => onChange('setup-admin')}
          isNoteBelow
          note={t('add.setupAdmin')}
        >
          {roleName(seatTypes.setupAdmin)}
        </Choice>
      </ChoiceList>
    </div>
  )
}
