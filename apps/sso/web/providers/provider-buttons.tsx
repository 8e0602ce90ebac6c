import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { ProviderMark } from '@atrium/ui/provider-mark.tsx'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { startProvider } from '../../src/provider-wire.ts'
import type { PageOf } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import card from '../page/card.module.css'
import { FormFailure } from '../page/form-failure.tsx'
import { usePageData } from '../page/page-data.ts'
import classes from './provider-buttons.module.css'

type Props = Pick<PageOf<'sign-in'>, 'service' | 'method'>

/** The login providers that are set up (001 §2). */
export function ProviderButtons({ service, method }: Props) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { providers, locale } = usePageData()
  const [busy, setBusy] = useState<ProviderName>()
  const [problem, setProblem] = useState<unknown>()

  async function start(provider: ProviderName) {
    setBusy(provider)
    setProblem(undefined)
    try {
      const body = { provider, service, method, locale }
      const { redirectUrl } = await post<typeof startProvider>('/sso/providers/start/', body)
      location.assign(redirectUrl)
    } catch (failure) {
      setBusy(undefined)
      setProblem(failure)
    }
  }

  if (providers.length === 0) return null
  return (
    <fieldset className={classes.providers}>
      <legend className={classes.legend}>{t('providers.legend')}</legend>
      <div className={card.failure}>
        <FormFailure problem={problem} />
      </div>
      <div className={classes.grid}>
        {providers.map((provider) => {
          const name = common(`providers.${provider}`)
          return (
            <Button
              key={provider}
              classNames={{ root: classes.button, label: classes.label }}
              variant="default"
              leftSection={<ProviderMark provider={provider} />}
              aria-label={t('providers.continue', { provider: name })}
              loading={busy === provider}
              disabled={busy !== undefined && busy !== provider}
              onClick={() => void start(provider)}
            >
              {name}
            </Button>
          )
        })}
      </div>
    </fieldset>
  )
}
