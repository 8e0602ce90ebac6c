import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { AgentButton } from './agent-button.tsx'
import { usePage } from './page-data.ts'

interface Props {
  href: string
  label: string
  variant: 'filled' | 'default'
}

/** Opens a place outside of this page, such as the shop, in a new tab. For a support agent it does nothing, and says why. */
export function OutsideButton({ href, label, variant }: Props) {
  const { support } = usePage()
  if (support) {
    return (
      <AgentButton variant={variant} aria-label={label}>
        {label}
      </AgentButton>
    )
  }
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noopener"
      variant={variant}
      rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
    >
      {label}
    </Button>
  )
}
