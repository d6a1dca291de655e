import { Effect, Layer, Redacted } from "effect"
import { isThisMachine } from "../../domain/access/Loopback.ts"
import { type Mail, Mailer, MailNotSent } from "../../ports/operations/Mailer.ts"

const patienceMillis = 20_000

/** Kept by the build in a part of its own, which is loaded with the first mail. */
const library = Effect.promise(() => import("nodemailer"))

/** How the server of an address such as smtps://user:password@host:465 is spoken to. */
export const transportOf = (address: URL) => {
  const isSecure = address.protocol === "smtps:"
  const { hostname, username, password } = address
  const host = hostname.replace(/^\[|\]$/g, "")
  const isNear = isThisMachine(host)
  return {
    host,
    port: address.port === "" ? (isSecure ? 465 : 587) : Number(address.port),
    secure: isSecure,
    // A password goes over TLS alone, and to this machine.
    requireTLS: username !== "" && !isNear,
    // A mail server of this machine has a certificate of its own making.
    tls: { rejectUnauthorized: !isNear },
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: patienceMillis,
    greetingTimeout: patienceMillis,
    socketTimeout: patienceMillis,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

/** What a server or the network says, in one line without the password. */
const reasonOf = (error: unknown, secret: string): string => {
  const said = (error instanceof Error ? error.message : "").replaceAll(/\s+/g, " ").trim()
  const told = secret === "" ? said : said.replaceAll(secret, "…")
  return told === "" ? "The mail server did not take the mail" : told.slice(0, 300)
}

/** No server is named. */
export const NoMailer = Layer.succeed(Mailer, {
  isConfigured: false,
  send: () => new MailNotSent({ reason: "No mail server is configured: --smtp and --mail-from name one" })
})

/** Sends through the SMTP server of the address, as `from`; gives up after so many milliseconds. */
export const SmtpMailer = (smtp: Redacted.Redacted, from: string, patience = patienceMillis) => {
  const address = new URL(Redacted.value(smtp))
  const options = transportOf(address)
  const secret = decodeURIComponent(address.password)
  const failed = (reason: string) => Effect.fail(new MailNotSent({ reason }))

  /** The time is counted here and not by an interruption, which does not reach a caller that runs to its end. */
  const send = ({ to, subject, text }: Mail) =>
    Effect.flatMap(library, ({ createTransport }) =>
      Effect.async<void, MailNotSent>((resume) => {
        const message = { from, to: { name: "", address: to }, subject, text }
        const tooLate = setTimeout(() => resume(failed(`No answer within ${patience / 1000} s`)), patience)
        createTransport(options).sendMail(message, (error) => {
          clearTimeout(tooLate)
          resume(error === null ? Effect.void : failed(reasonOf(error, secret)))
        })
        return Effect.sync(() => clearTimeout(tooLate))
      })
    )
  return Layer.succeed(Mailer, { isConfigured: true, send })
}
