import { Effect, Option, Redacted } from "effect"
import { NoMailer, SmtpMailer } from "../adapters/node/Mailer.ts"
import { testMail } from "../domain/access/AccountMail.ts"
import { Mailer } from "../ports/operations/Mailer.ts"
import { checked, secret } from "./SettingKinds.ts"

/** The address of a mail server, or an empty text, with which no mails are sent; none for anything else. */
const smtpAddressIn = (text: string): Option.Option<Redacted.Redacted> => {
  const isMailServer = (address: string): boolean => {
    if (!URL.canParse(address)) return false
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(address)
    const isWhole = (username === "") === (password === "")
    return /^smtps?:$/.test(protocol) && hostname !== "" && /^\/?$/.test(pathname) && search + hash === "" && isWhole
  }
  return text === "" || isMailServer(text) ? Option.some(Redacted.make(text)) : Option.none()
}

/** Whether a text is empty, an address, or an address behind a name: `Game <noreply@studio.example>`. */
const isSender = (sender: string): boolean =>
  sender === "" || /^(?:[^<>\p{Cc}]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u.test(sender)

/** Where nothing is set, no mails are sent. */
export const mailDefaults = { smtp: Redacted.make(""), mailFrom: "" }

export const mailOptions = {
  smtp: secret(
    "smtp",
    smtpAddressIn,
    "an address such as smtps://user:password@mail.example.com",
    "Mail server for links to people: smtps:// over TLS, smtp:// with STARTTLS; default: no mails"
  ),
  mailFrom: checked(
    "mail-from",
    "",
    Option.liftPredicate(isSender),
    "an e-mail address, or one with a name: Emberkeep <live@emberkeep.example>",
    "Sender of mails; default: gamekeeper@ and the host of --public-url"
  )
}

interface MailSettings {
  readonly publicUrl: string
  readonly smtp: Redacted.Redacted
  readonly mailFrom: string
}

/** Mails through the server that is named, or none. */
export const Mailing = ({ publicUrl, smtp, mailFrom }: MailSettings) => {
  if (Redacted.value(smtp) === "") return NoMailer
  const host = publicUrl === "" ? "localhost" : new URL(publicUrl).hostname
  return SmtpMailer(smtp, mailFrom === "" ? `Gamekeeper <gamekeeper@${host}>` : mailFrom)
}

/** Sends a mail that shows that mails of the server at that address arrive. */
export const sendTestMail = (settings: MailSettings, publicUrl: string, to: string) =>
  Effect.flatMap(Mailer, ({ send }) => send({ to, ...testMail(publicUrl) })).pipe(Effect.provide(Mailing(settings)))
