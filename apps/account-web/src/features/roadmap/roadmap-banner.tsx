import { roadmapStatuses } from '@atrium/contract/roadmap.ts'
import { useTranslation } from 'react-i18next'
import classes from './roadmap.module.css'
import { tones } from './roadmap.rules.ts'
import { useRoadmapNames } from './use-roadmap-names.ts'

/** What the roadmap is about, and the stages that a feature passes (001 §2). */
export function RoadmapBanner() {
  const { t } = useTranslation('roadmap')
  const names = useRoadmapNames()

  return (
    <section className={classes.banner} aria-labelledby="roadmap-banner">
      <div className={classes.words}>
        <h2 id="roadmap-banner">{t('banner.title')}</h2>
        <p>{t('banner.text')}</p>
      </div>
      <ol className={classes.stages} aria-label={t('banner.stages')}>
        {roadmapStatuses.map((status) => (
          <li key={status} data-tone={tones[status]}>
            {names.ofStatus(status)}
          </li>
        ))}
      </ol>
    </section>
  )
}
