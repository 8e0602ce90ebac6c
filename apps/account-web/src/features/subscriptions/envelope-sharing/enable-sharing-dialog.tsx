import { CallProblem } from '@atrium/ui/call-problem.ts'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFailure } from '@atrium/ui/dialog-failure.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sharingQuery, useEnableSharing } from './envelope-sharing.data.ts'
import classes from './envelope-sharing.module.css'

interface Props {
  sid: string
  /** It is enabled: connectors can be bought. */
  onEnabled(): void
  onClose(): void
}

/** Irreversible, so that the product's name is typed (001 §4). */
export function EnableSharingDialog({ sid, onEnabled, onClose }: Props) {
  const { t } = useTranslation('envelope-sharing')
  const { data: detail, error, refetch, isFetching } = useQuery(sharingQuery(sid))
  const enable = useEnableSharing()

  return (
    <DialogFrame title={t('sharing.title')} onClose={onClose} busy={enable.isPending} isForm>
      {detail && (
        <Form
          product={detail.appName}
          isBusy={enable.isPending}
          problem={enable.error}
          onEnable={() => enable.mutate(sid, { onSuccess: onEnabled })}
          onClose={onClose}
        />
      )}
      {!detail && error && (
        <DialogFailure
          problem={error}
          isFinal={error instanceof CallProblem && error.isRefusal}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          onClose={onClose}
        />
      )}
      {!detail && !error && <Skeleton width="100%" height={180} />}
    </DialogFrame>
  )
}

interface FormProps {
  product: string
  isBusy: boolean
  problem: Error | null
  onEnable(): void
  onClose(): void
}

function Form({ product, isBusy, problem, onEnable, onClose }: FormProps) {
  const { t } = useTranslation('envelope-sharing')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)

  function submit(event: { preventDefault(): void }) {
    event.preventDefault()
    const isSame = typed.trim().toLowerCase() === product.toLowerCase()
    setWrong(!isSame)
    if (isSame && !isBusy) onEnable()
  }

  return (
    <form onSubmit={submit} noValidate>
      {problem && <InlineFailure problem={problem} />}
      <Notice tone="warning">{t('sharing.before', { product })}</Notice>
      <ul className={classes.effects}>
        <li>{t('sharing.accounts')}</li>
        <li>{t('sharing.documents')}</li>
        <li>
          <strong>{t('sharing.irreversible')}</strong>
        </li>
      </ul>
      <TextInput
        label={t('sharing.type', { product })}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isWrong ? t('sharing.wrong', { product }) : undefined}
        autoComplete="off"
        data-autofocus
      />
      <FormActions label={t('sharing.confirm')} isBusy={isBusy} isDestructive onClose={onClose} />
    </form>
  )
}
