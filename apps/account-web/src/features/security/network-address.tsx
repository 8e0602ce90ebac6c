/** An address of IPv6 wraps after a colon, if at all. */
export function NetworkAddress({ address }: { address: string | null }) {
  if (address === null) return '–'
  const end = address.search(/:[^:]/) + 1
  if (end === 0) return address
  return (
    <>
      {address.slice(0, end)}
      <wbr />
      <NetworkAddress address={address.slice(end)} />
    </>
  )
}
