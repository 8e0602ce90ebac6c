import { createTransport } from 'nodemailer'

export interface Email {
  to: string
  /** The recipient of answers, if not the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** The same for every delivery of an email, so that a repeated one is recognized. */
  messageId: string
}

export type SendMail = (message: Email) => Promise<void>

/** Sends emails through an SMTP server. */
export function newMailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 10_000 })
  return async (message) => {
    await transport.sendMail({ from, ...message })
  }
}
