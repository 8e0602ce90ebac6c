import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { useTranslation } from 'react-i18next'
import { useSetDefaultCard } from './cards.data.ts'

/** Makes a card the default, and says how that ended. */
export function useMakeDefault(): (paymentMethodId: string) => void {
  const { t } = useTranslation('cards')
  const problemText = useProblemText()
  const setDefault = useSetDefaultCard()
  return (paymentMethodId) =>
    setDefault.mutate(paymentMethodId, {
      onSuccess() {
        showSuccess(t('done.defaultSet'))
        returnLostFocus(null)
      },
      onError: (problem) => showFailure(problemText(problem)),
    })
}
