interface Destination {
  redirectUrl: string
  /** To be posted there instead of standing in the address. */
  ticket: string | null
}

/** Takes the visitor on to where they wanted to go. Does not come back: the button stays busy until the page is gone. */
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
