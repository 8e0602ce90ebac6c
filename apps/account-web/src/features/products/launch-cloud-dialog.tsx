import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cloudQuery, useLaunchCloud } from './cloud.data.ts'
import { LaunchCloudForm } from './launch-cloud-form.tsx'
import classes from './products.module.css'

interface Props {
  /** Its name. */
  product: string
  onClose(): void
}

/** Asks for the data region, once, and for whom the cloud service is opened. */
export function LaunchCloudDialog({ product, onClose }: Props) {
  const { t } = useTranslation('products')
  const { t: common } = useTranslation('common')
  const { data: account, error, refetch, isFetching } = useQuery(cloudQuery)
  const launch = useLaunchCloud()

  return (
    <DialogFrame title={t('links.openLabel', { product })} onClose={onClose} busy={launch.isPending} isForm>
      {account && <LaunchCloudForm product={product} account={account} launch={launch} onClose={onClose} />}
      {!account && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!account && !error && (
        <div className={classes.waiting} role="status" aria-label={common('loading')}>
          <Skeleton width="40%" />
          <Skeleton width="100%" height={176} />
        </div>
      )}
    </DialogFrame>
  )
}
