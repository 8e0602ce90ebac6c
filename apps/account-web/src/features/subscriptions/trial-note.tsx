import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTrialOutcome } from '../../page/use-trial-outcome.ts'
import classes from './subscriptions.module.css'

interface Props {
  subscription: Subscription
  end: Date
}

/** What to do about the cards, to keep it. */
const links = {
  addCard: 'trial.addCard',
  chooseDefault: 'defaultCard.chooseDefault.trial',
  makeDefault: 'defaultCard.makeDefault.trial',
} as const

/** What follows a trial, and where to change it. */
export function TrialNote({ subscription, end }: Props) {
  const { t } = useTranslation('subscriptions')
  const outcome = useTrialOutcome([subscription])(subscription, end)
  if (!outcome) return null

  return (
    <p className={classes.note}>
      {outcome.sentence}{' '}
      {outcome.step && (
        <Link
          to="/account"
          search={{
            tab: 'payment-option-management',
            dialog: outcome.step === 'addCard' ? 'add' : undefined,
          }}
        >
          {t(links[outcome.step])}
        </Link>
      )}
    </p>
  )
}
