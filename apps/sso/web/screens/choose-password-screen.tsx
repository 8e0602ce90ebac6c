import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { checkResetLink, choosePassword, PageOf } from '../../src/wire.ts'
import { newPasswordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { linkTo, tokenInAddress } from '../page/page-data.ts'
import { PasswordForm } from './password-form.tsx'
import { SpentLink } from './spent-link.tsx'

export function ChoosePasswordScreen({ page: { service } }: { page: PageOf<'choose-password'> }) {
  const { t } = useTranslation()
  const [token] = useState(() => tokenInAddress(location.hash))
  const { isKnownSpent, linked } = useLink(token)
  const unlinks = useUnlinks(linked)
  const [done, setDone] = useState<{ email: string }>()
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { password: '' },
    schema: fieldSchema({ password: newPasswordCode }),
    send: ({ password }) => post<typeof choosePassword>('/sso/choose-password/', { token, password }),
    onSent: setDone,
  })

  if (done) {
    return (
      <Card title={t('choosePassword.doneTitle')} lead={t('choosePassword.done')} isAnswer>
        <div className={classes.actions}>
          <Button component="a" href={linkTo('/cas/login', service, done)}>
            {t('signIn.submit')}
          </Button>
        </div>
      </Card>
    )
  }
  if (isKnownSpent || isSpent(refusal)) {
    return (
      <SpentLink
        text={t('spent.text')}
        first={{ href: linkTo('/forgotten-password', service), label: t('spent.newLink') }}
        second={{ href: linkTo('/cas/login', service), label: t('signIn.submit') }}
      />
    )
  }
  return (
    <PasswordForm
      title={t('choosePassword.title')}
      lead={t('choosePassword.lead')}
      {...(unlinks && { note: unlinks })}
      label={t('field.newPassword')}
      description={t('field.passwordHint')}
      autoComplete="new-password"
      submitLabel={t('choosePassword.submit')}
      form={form}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={submit}
    />
  )
}

/** What is known of the link since it was opened. The visit does not use it up, because mail scanners follow links. */
function useLink(token: string) {
  const [isKnownSpent, setKnownSpent] = useState(token === '')
  const [linked, setLinked] = useState<readonly ProviderName[]>([])

  useEffect(() => {
    if (token === '') return
    // Without an answer, the form finds out.
    post<typeof checkResetLink>('/sso/choose-password/check/', { token }).then(
      (link) => setLinked(link.linked),
      (problem: unknown) => setKnownSpent(isSpent(problem)),
    )
  }, [token])

  return { isKnownSpent, linked }
}

/** Which ways to sign in a new password ends; undefined: none. */
function useUnlinks(linked: readonly ProviderName[]): string | undefined {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  if (linked.length === 0) return undefined
  const names = linked.map((name) => common(`providers.${name}`))
  return t('choosePassword.unlinks', { providers: new Intl.ListFormat(locale).format(names) })
}

function isSpent(problem: unknown): boolean {
  return problem instanceof CallProblem && problem.code === 'link_spent'
}
