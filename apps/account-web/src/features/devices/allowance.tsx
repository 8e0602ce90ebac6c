import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { useTranslation } from 'react-i18next'
import classes from './devices.module.css'
import { ExplainedWord } from './explained.tsx'

/** Up to this number each deactivation has a dot; above it there is a bar. */
const mostDots = 12

interface Props {
  /** Deactivations left. */
  left: number
  /** Deactivations allowed per year. */
  allowance: number
}

/** How many devices of a key can still be deactivated this year, as dots or a bar. */
export function Allowance({ left, allowance }: Props) {
  const { t } = useTranslation('devices')
  const number = new Intl.NumberFormat(useLocale())

  return (
    <div className={classes.allowance}>
      {allowance <= mostDots && (
        <div className={classes.dots} aria-hidden="true">
          {Array.from({ length: allowance }, (_, dot) => dot).map((dot) => (
            <span key={dot} className={classes.dot} data-left={dot < left || undefined} />
          ))}
        </div>
      )}
      {allowance > mostDots && (
        <div className={classes.bar}>
          <SeatBar taken={left} total={allowance} />
        </div>
      )}
      <ExplainedWord explanation={t('allowance.why')}>
        <span className="figures">{t('allowance.left', { left: number.format(left), count: allowance })}</span>
      </ExplainedWord>
    </div>
  )
}
