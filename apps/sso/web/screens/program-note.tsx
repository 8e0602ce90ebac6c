import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'

/** In a form whose sign-in is for a program on the person's own machine: which one. */
export function ProgramNote({ program }: { program: string | null }) {
  const { t } = useTranslation()
  if (program === null) return null
  return (
    <p className={classes.hint}>
      {t('program.note', { address: program })} {t('program.warning')}
    </p>
  )
}
