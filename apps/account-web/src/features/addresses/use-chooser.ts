import { chooser } from '@atrium/ui/chooser.ts'
import { useTranslation } from 'react-i18next'

/** A choice that is needed. */
export function useChooser() {
  const { t } = useTranslation('addresses')
  return (list: readonly { code: string; name: string }[]) => ({
    ...chooser(
      list.map(({ name }) => name),
      { nothingFound: t('choose.none') },
    ),
    data: list.map(({ code, name }) => ({ value: code, label: name })),
    withAsterisk: true,
    'aria-required': true,
  })
}
