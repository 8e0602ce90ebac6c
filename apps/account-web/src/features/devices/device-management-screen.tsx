import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { TabStrip } from '@atrium/ui/tab-strip.tsx'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { AllDevicesScreen } from './all-devices-screen.tsx'
import { DeviceSearchBox } from './device-search-box.tsx'
import { emailDevicesQuery } from './devices.data.ts'
import { DevicesSearch } from './devices.search.ts'
import { EmailDevices } from './email-devices.tsx'
import { FoundKeys } from './found-keys.tsx'
import { KeycodeLicenses } from './keycode-licenses.tsx'
import { ManageDevicesScreen } from './manage-devices-screen.tsx'

/** 000 §2.8: both activation methods, and below the second one the keys of a license and the devices of a key. */
export function DeviceManagementScreen() {
  const [{ licenseId, code }] = useAddress(DevicesSearch)
  if (code) return <AllDevicesScreen key={code} code={code} />
  if (licenseId) return <ManageDevicesScreen key={licenseId} licenseId={licenseId} />
  return <DeviceTabs />
}

/** Both tabs keep what is searched for: a computer may have devices of both kinds. */
function DeviceTabs() {
  const { t } = useTranslation('devices')
  const { t: frame } = useTranslation('frame')
  const [{ method = 'email', keyWord = '', page = 1 }, changeAddress] = useAddress(DevicesSearch)
  const { data } = useQuery({ ...emailDevicesQuery({ keyWord, page }), enabled: method === 'email' })

  function show(chosen: string | null) {
    if (chosen === method) return
    changeAddress({ method: chosen === 'keycode' ? 'keycode' : undefined, sku: undefined, page: undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.device-management')}
      count={method === 'email' ? data?.totalNum : undefined}
      lead={frame('leads.device-management')}
    >
      <Tabs value={method} onChange={show} activateTabWithKeyboard={false}>
        <TabStrip shown={method}>
          <Tabs.Tab value="email">{t('email.tab')}</Tabs.Tab>
          <Tabs.Tab value="keycode">{t('keycode.tab')}</Tabs.Tab>
        </TabStrip>
        <Tabs.Panel value={method} pt="md">
          {method === 'email' ? <EmailDevices keyWord={keyWord} page={page} /> : <Keycodes keyWord={keyWord} />}
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

/** The keys that a search found, whatever product they are for; without a search, the licenses of a product. */
function Keycodes({ keyWord }: { keyWord: string }) {
  const { t } = useTranslation('devices')
  return (
    <>
      <DeviceSearchBox label={t('search.keys')} placeholder={t('search.ofKeys')} />
      {keyWord === '' ? <KeycodeLicenses /> : <FoundKeys keyWord={keyWord} />}
    </>
  )
}
