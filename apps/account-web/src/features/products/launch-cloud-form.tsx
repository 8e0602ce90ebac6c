import type { CloudAccount, Region } from '@atrium/contract/cloud.ts'
import { Choice, ChoiceList } from '@atrium/ui/choice-list.tsx'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { showFailure } from '@atrium/ui/success.ts'
import { IconArrowUpRight } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openEmptyWindow, type useLaunchCloud } from './cloud.data.ts'
import classes from './products.module.css'
import { useRegionName } from './use-region-name.ts'

interface Props {
  product: string
  account: CloudAccount
  launch: ReturnType<typeof useLaunchCloud>
  onClose(): void
}

/** What is not chosen yet; a region that is, is shown. */
export function LaunchCloudForm({ product, account, launch, onClose }: Props) {
  const { t } = useTranslation('products')
  const regionName = useRegionName()
  const [region, setRegion] = useState<Region>()
  const [userTypeId, setUserTypeId] = useState(account.userTypeId)
  const { isPending: isBusy, error } = launch
  const hasRegion = account.region !== ''
  // An enterprise may have gone meanwhile.
  const { id: chosen } = account.userTypes.find(({ id }) => id === userTypeId) ?? { id: account.userTypeId }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || !(hasRegion || region)) return
    const window = openEmptyWindow()
    if (!window) return showFailure(t('cloud.blocked'))
    // Without an address the person had to sign in again: the dialog stays, to be sent once more.
    const onSuccess = (opened: unknown) => opened && onClose()
    launch.mutate({ userTypeId: chosen, window, ...(!hasRegion && { region }) }, { onSuccess })
  }

  return (
    <form onSubmit={submit}>
      {error && <InlineFailure problem={error} />}
      {hasRegion ? (
        <p className={classes.settled}>{t('cloud.region', { region: regionName(account.region) })}</p>
      ) : (
        <RegionChoice product={product} account={account} chosen={region} isBusy={isBusy} onChoose={setRegion} />
      )}
      {account.userTypes.length > 1 && (
        <div className={classes.userTypes}>
          <ChoiceList legend={t('cloud.openFor')} disabled={isBusy}>
            {account.userTypes.map(({ id, name }) => (
              <Choice
                key={id}
                name="userType"
                value={id}
                isChosen={id === chosen}
                isFirst={hasRegion && id === chosen}
                onChoose={() => setUserTypeId(id)}
                note={null}
              >
                {name || t('cloud.personal')}
              </Choice>
            ))}
          </ChoiceList>
        </div>
      )}
      <FormActions
        label={t('links.open')}
        isBusy={isBusy}
        isDisabled={!(hasRegion || region)}
        icon={<IconArrowUpRight size={16} stroke={1.6} aria-hidden />}
        onClose={onClose}
      />
    </form>
  )
}

interface RegionProps extends Pick<Props, 'product' | 'account'> {
  chosen: Region | undefined
  isBusy: boolean
  onChoose(region: Region): void
}

function RegionChoice({ product, account, chosen, isBusy, onChoose }: RegionProps) {
  const { t } = useTranslation('products')
  const regionName = useRegionName()
  return (
    <>
      <p className={classes.meaning}>{t('cloud.meaning', { product })}</p>
      <ChoiceList legend={t('cloud.chooseRegion')} disabled={isBusy}>
        {account.regions.map((region, place) => (
          <Choice
            key={region}
            name="region"
            value={region}
            isChosen={region === chosen}
            isFirst={place === 0}
            onChoose={() => onChoose(region)}
            note={null}
          >
            {regionName(region)}
          </Choice>
        ))}
      </ChoiceList>
    </>
  )
}
