import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './header-menus.module.css'
import { initialsOf } from './initials.ts'
import { useLocale } from './locale.ts'
import { inNameOrder, personName } from './person-name.ts'

interface Props {
  firstName: string
  lastName: string
  email: string
  onSignOut(): void
}

/** Who is signed in, and the way out. */
export function PersonMenu({ firstName, lastName, email, onSignOut }: Props) {
  const { t } = useTranslation('common')
  const locale = useLocale()
  const name = personName(locale, firstName, lastName) || email
  const [front, back] = inNameOrder(locale, firstName, lastName)

  return (
    <Menu position="bottom-end" width={260} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.trigger}>
          <VisuallyHidden>{t('person.name')}</VisuallyHidden>
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(front, back, email)}
          </span>
          <span className={classes.wide}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={classes.person}>
            <strong>{name}</strong>
            <span>{email}</span>
          </span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} aria-hidden />} onClick={onSignOut}>
          {t('person.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
