import type { UserRemoval } from '@atrium/contract/team.ts'
import { Link } from '@tanstack/react-router'
import classes from './team.module.css'

interface Props {
  teams: UserRemoval['otherTeams']
  /** Address of the person. */
  email: string
  /** They open in this tab, and it closes what is above the page. Without it they open beside this page. */
  onOpen?: () => void
}

/** Subscriptions of which a person stays a user. Each opens with its users searched for the person. */
export function OtherTeams({ teams, email, onOpen }: Props) {
  return (
    <ul className={classes.report}>
      {teams.map(({ sid, appName }) => (
        <li key={sid}>
          <Link
            to="/account"
            search={{ tab: 'license-management', subId: sid, user: email }}
            {...(onOpen ? { onClick: onOpen } : { target: '_blank' })}
          >
            {appName}
          </Link>
        </li>
      ))}
    </ul>
  )
}
