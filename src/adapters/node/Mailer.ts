import { Effect, Layer, Redacted } from "effect"
import { type Mail, Mailer, MailNotSent } from "../../ports/operations/Mailer.ts"

const patienceMillis = 20_000

/** Kept by the build in a part of its own, which is loaded with the first mail. */
const library = Effect.promise(() => import("nodemailer"))

/** How the server of an address such as smtps://user:password@host:465 is spoken to. */
export const transportOf = (address: URL) => {
  const isSecure = address.protocol === "smtps:"
  const { hostname: host, username, password } = address
  const isThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
  return {
    host,
    port: address.port === "" ? (isSecure ? 465 : 587) : Number(address.port),
    secure: isSecure,
    // A password goes over TLS alone, and to this machine.
    requireTLS: username !== "" && !isThisMachine,
    // A mail server of this machine has a certificate of its own making.
    tls: { rejectUnauthorized: !isThisMachine },
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

/** Sends through the SMTP server of the address, as `from`. */
export const SmtpMailer = (smtp: Redacted.Redacted, from: string) => {
  const address = new URL(Redacted.value(smtp))
  const options = transportOf(address)
  const secret = decodeURIComponent(address.password)
  const send = Effect.fnUntraced(function* ({ to, subject, text }: Mail) {
    const { createTransport } = yield* library
    yield* Effect.tryPromise({
      try: () => createTransport(options).sendMail({ from, to: { name: "", address: to }, subject, text }),
      catch: (error) => new MailNotSent({ reason: reasonOf(error, secret) })
    }).pipe(
      Effect.timeoutFail({
        duration: patienceMillis,
        onTimeout: () => new MailNotSent({ reason: `No answer within ${patienceMillis / 1000} s` })
      })
    )
  })
  return Layer.succeed(Mailer, { isConfigured: true, send })
}
