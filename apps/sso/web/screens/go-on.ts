interface Destination {
  redirectUrl: string
  /** Posted to the service instead of being in the address. */
  ticket: string | null
}

/** Navigates to the service. The promise never resolves, so the button stays busy until the page is gone. */
export function goOn({ redirectUrl, ticket }: Destination): Promise<never> {
  if (ticket) postTicket(redirectUrl, ticket)
  else location.replace(redirectUrl)
  return new Promise(() => undefined)
}

function postTicket(action: string, ticket: string) {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'ticket'
  field.value = ticket
  form.append(field)
  document.body.append(form)
  form.submit()
}
