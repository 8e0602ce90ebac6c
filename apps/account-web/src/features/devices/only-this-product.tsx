import { useTranslation } from 'react-i18next'

/** A computer often has several products: what deactivates them all. `name`: of the computer. */
export function OnlyThisProduct({ name }: { name: string }) {
  const { t } = useTranslation('devices')
  return <p>{t('deactivate.onlyThis', { replace: t('computer.replace', { name }) })}</p>
}
