import { Effect, Layer } from "effect"
import { type Mail, Mailer, MailNotSent } from "../../../ports/operations/Mailer.ts"

/** Keeps mails in `sent` instead of sending them; addresses that begin with `refused` are refused. */
export const MailerMemory = (sent: Array<Mail>) =>
  Layer.succeed(Mailer, {
    isConfigured: true,
    send: (mail) =>
      mail.to.startsWith("refused")
        ? new MailNotSent({ reason: "550 No such mailbox" })
        : Effect.sync(() => void sent.push(mail))
  })
