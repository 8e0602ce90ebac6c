import { createTransport } from 'nodemailer'

export interface Letter {
  to: string
  /** Whom an answer reaches, where that is not who sent it. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** The same for every delivery of the same letter, so that a repeated one is recognised. */
  messageId: string
}

export type SendMail = (letter: Letter) => Promise<void>

/** The one company outside that carries our letters: any SMTP server. */
export function newMailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 10_000 })
  return async (letter) => {
    await transport.sendMail({ from, ...letter })
  }
}
