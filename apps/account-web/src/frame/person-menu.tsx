import { initialsOf } from '@atrium/ui/initials.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { namesInOrder, personName } from '@atrium/ui/person-name.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { HeaderMenu } from './header-menu.tsx'
import classes from './header-menus.module.css'

interface Props {
  firstName: string
  lastName: string
  email: string
  onSignOut(): void
}

/** The signed-in person, and signing out. */
export function PersonMenu({ firstName, lastName, email, onSignOut }: Props) {
  const { t } = useTranslation('common')
  const locale = useLocale()
  const name = personName(locale, firstName, lastName) || email
  const [front, back] = namesInOrder(locale, firstName, lastName)

  const head = (
    <span className={classes.person}>
      <strong>{name}</strong>
      <span>{email}</span>
    </span>
  )
  const signOut = {
    key: 'sign-out',
    label: t('person.signOut'),
    icon: <IconLogout size={16} stroke={1.6} aria-hidden />,
    onChoose: onSignOut,
  }

  return (
    <HeaderMenu width={260} head={head} entries={[signOut]}>
      <VisuallyHidden>{t('person.name')}</VisuallyHidden>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(front, back, email)}
      </span>
      <span className={classes.wide}>{name}</span>
    </HeaderMenu>
  )
}
