import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './copyable-code.module.css'
import { Hint } from './hint.tsx'
import { shortId } from './short-id.ts'

interface CodeProps {
  code: string
  /** Part of the button's name: "Copy order number 2026-1". */
  label: string
}

/** A key or number with a button that copies it. */
export function CopyableCode({ code, label }: CodeProps) {
  const { t } = useTranslation('common')
  return <Copyable code={code} shown={code} label={t('copy.label', { label, code })} />
}

interface IdProps {
  id: string
  /** What has the id: the button says it instead of the id, which nobody wants to hear. */
  name: string
}

/** An id that only support asks for: it is shown short, and copied whole. */
export function CopyableId({ id, name }: IdProps) {
  const { t } = useTranslation('common')
  return <Copyable code={id} shown={shortId(id)} label={t('copy.id', { name })} />
}

/** Codes up to this length are readable at a glance and fit on a phone. */
const shortLength = 24

function Copyable({ code, shown, label }: { code: string; shown: string; label: string }) {
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
      <span className={`code ${shown.length > shortLength ? classes.long : classes.whole}`}>{shown}</span>
      <Hint label={t('copy.action')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          className={classes.button ?? ''}
          aria-label={label}
          onClick={copy}
        >
          <IconCopy size={15} stroke={1.6} />
        </ActionIcon>
      </Hint>
    </span>
  )
}
