import type { CodeStatus } from '@atrium/contract/licenses.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { CopyableCode } from '../../page/copyable-code.tsx'
import classes from './get-key-dialog.module.css'

interface Props {
  keys: readonly { activationKey: string; codeStatus: z.infer<typeof CodeStatus> }[]
}

/** Keys with copy buttons. A long list scrolls, so that the buttons below stay visible. */
export function LicenseKeys({ keys }: Props) {
  const { t } = useTranslation('licenses')
  if (keys.length === 0) return <p>{t('key.none')}</p>

  return (
    <ul className={classes.keys} aria-label={t('key.list')}>
      {keys.map(({ activationKey, codeStatus }) => (
        <li key={activationKey} data-revoked={codeStatus === 'revoked' || undefined}>
          <CopyableCode code={activationKey} label={t('key.key')} />
          {codeStatus === 'revoked' && <StatusDot tone="off">{t('end.revoked')}</StatusDot>}
        </li>
      ))}
    </ul>
  )
}
