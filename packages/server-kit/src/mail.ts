import { createTransport } from 'nodemailer'

export interface Email {
  to: string
  /** Whom an answer reaches, where that is not who sent it. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** The same for every delivery of the same email, so that a repeated one is recognized. */
  messageId: string
}

export type SendMail = (message: Email) => Promise<void>

/** The one company outside that carries our emails: any SMTP server. */
export function newMailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 10_000 })
  return async (message) => {
    await transport.sendMail({ from, ...message })
  }
}
