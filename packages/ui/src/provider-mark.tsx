import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { IconBrandFacebookFilled, IconBrandLinkedinFilled, IconSchool } from '@tabler/icons-react'
import type { ReactNode } from 'react'

const size = 18

/** The providers' marks, in the colors that their brand rules ask for. */
const marks: Readonly<Record<ProviderName, ReactNode>> = {
  google: (
    <Svg viewBox="0 0 18 18">
      <path
        fill="#4285f4"
        d="M17.6 9.2c0-.6 0-1.2-.2-1.7H9v3.3h4.8a4.1 4.1 0 0 1-1.8 2.7V16h2.9a8.8 8.8 0 0 0 2.7-6.8Z"
      />
      <path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2L12 13.5a5.4 5.4 0 0 1-8-2.8H1V13a9 9 0 0 0 8 5Z" />
      <path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z" />
      <path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7Z" />
    </Svg>
  ),
  microsoft: (
    <Svg viewBox="0 0 18 18">
      <path fill="#f25022" d="M0 0h8.5v8.5H0z" />
      <path fill="#7fba00" d="M9.5 0H18v8.5H9.5z" />
      <path fill="#00a4ef" d="M0 9.5h8.5V18H0z" />
      <path fill="#ffb900" d="M9.5 9.5H18V18H9.5z" />
    </Svg>
  ),
  facebook: <IconBrandFacebookFilled size={size} color="#1877f2" aria-hidden />,
  linkedin: <IconBrandLinkedinFilled size={size} color="#0a66c2" aria-hidden />,
  education: <IconSchool size={size} stroke={1.6} aria-hidden />,
  lenovo: (
    <Svg viewBox="0 0 18 18">
      <path fill="#e2231a" d="M0 3h18v12H0z" />
      <path fill="#fff" d="M7 5.5h1.8v5.4h3V12.5H7z" />
    </Svg>
  ),
}

export function ProviderMark({ provider }: { provider: ProviderName }) {
  return marks[provider]
}

function Svg({ viewBox, children }: { viewBox: string; children: ReactNode }) {
  return (
    <svg width={size} height={size} viewBox={viewBox} aria-hidden="true">
      {children}
    </svg>
  )
}
