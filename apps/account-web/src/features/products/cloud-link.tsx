import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { cloudQuery, openEmptyWindow, useLaunchCloud } from './cloud.data.ts'
import classes from './products.module.css'
import { useRegionName } from './use-region-name.ts'

const { Dialog: LaunchCloudDialog, preload } = loadableDialog(
  async () => (await import('./launch-cloud-dialog.tsx')).LaunchCloudDialog,
)

/** Opens the cloud service, after a dialog where there is something to choose (001 §2, "Regions and login"). */
export function CloudLink({ product }: { product: string }) {
  const { t } = useTranslation('products')
  const problemText = useProblemText()
  const regionName = useRegionName()
  const [isOpen, setOpen] = useState(false)
  const { data: account } = useQuery(cloudQuery)
  const launch = useLaunchCloud()
  const [only, ...others] = account?.userTypes ?? []
  const isSettled = account !== undefined && account.region !== '' && others.length === 0

  function open() {
    if (launch.isPending) return
    if (!isSettled || !only) return setOpen(true)
    const window = openEmptyWindow()
    if (!window) return showFailure(t('cloud.blocked'))
    launch.mutate({ userTypeId: only.id, window }, { onError: (problem) => showFailure(problemText(problem)) })
  }

  return (
    <>
      <button
        type="button"
        className={classes.cloud}
        aria-label={t('links.openLabel', { product })}
        aria-haspopup={isSettled ? undefined : 'dialog'}
        aria-disabled={launch.isPending}
        onMouseEnter={preload}
        onFocus={preload}
        onClick={open}
      >
        <IconArrowUpRight size={16} stroke={1.6} aria-hidden />
        {t('links.open')}
      </button>
      {account && account.region !== '' && (
        <span className={classes.region}>{t('cloud.region', { region: regionName(account.region) })}</span>
      )}
      {isOpen && <LaunchCloudDialog product={product} onClose={() => setOpen(false)} />}
    </>
  )
}
