import { Button, type ButtonProps } from '@mantine/core'
import type { HTMLAttributes, ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from './hint.tsx'

type Props = Pick<ButtonProps, 'size' | 'variant' | 'color' | 'className' | 'children'> & {
  /** For a screen reader; otherwise the children. */
  'aria-label': string
}

/**
 * A button that leads the member out of this page. A support agent, who gets no addresses outside of it, sees that it is there, and why
 * it does nothing: it can have the focus, unlike a disabled one.
 */
export function AgentButton(looks: Props) {
  return (
    <AgentHint>
      <Button {...looks} type="button" data-disabled aria-disabled />
    </AgentHint>
  )
}

/** Why an element does nothing for a support agent. */
export function AgentHint({ children }: { children: ReactElement<HTMLAttributes<HTMLElement>> }) {
  const { t } = useTranslation('problems')
  return (
    <Hint label={t('support_read_only')} multiline w={280} opensOnTap>
      {children}
    </Hint>
  )
}
