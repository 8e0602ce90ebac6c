import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './copyable-code.module.css'
import { Hint } from './hint.tsx'

interface Props {
  code: string
  /** Part of the button's name: "Copy order number 2026-1". */
  label: string
}

/** Codes up to this length are readable at a glance and fit on a phone. */
const shortLength = 24

/** A key, id or number with a button that copies it. */
export function CopyableCode({ code, label }: Props) {
  const { t } = useTranslation('common')

  async function copy() {
    try {
      await navigator.clipboard.writeText(code)
      showSuccess(t('copy.success'))
    } catch {
      showFailure(t('copy.failure'))
    }
  }

  return (
    <span className={classes.code}>
      <span className={`code ${code.length > shortLength ? classes.long : classes.whole}`}>{code}</span>
      <Hint label={t('copy.action')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          className={classes.button ?? ''}
          aria-label={t('copy.label', { label, code })}
          onClick={copy}
        >
          <IconCopy size={15} stroke={1.6} />
        </ActionIcon>
      </Hint>
    </span>
  )
}
