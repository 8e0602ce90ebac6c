import { useTranslation } from 'react-i18next'

/** A long list of which one is needed: typed and confirmed with Enter, the first that matches is meant. */
export function useChooser() {
  const { t } = useTranslation('addresses')
  return {
    withAsterisk: true,
    'aria-required': true,
    searchable: true,
    allowDeselect: false,
    openOnFocus: false,
    selectFirstOptionOnChange: true,
    nothingFoundMessage: t('choose.none'),
    // Its choices belong to the dialog, for a screen reader too.
    comboboxProps: { withinPortal: false, shadow: 'md' },
  }
}
