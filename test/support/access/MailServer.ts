import { SMTPServer } from "smtp-server"

export interface Received {
  readonly to: ReadonlyArray<string>
  readonly isSecure: boolean
  /** The mail as it came, headers first. */
  readonly source: string
}

export const mailUser = "live"
export const mailPassword = "p@ss/wörd"

/** A mail server on a free port of this machine with STARTTLS and a login, which keeps what it gets. */
export const mailServer = async () => {
  const received: Array<Received> = []
  const server = new SMTPServer({
    onAuth: ({ username, password }, _, done) =>
      username === mailUser && password === mailPassword
        ? done(null, { user: username })
        : done(new Error(`Invalid username or password ${password}`)),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith("refused") ? done(new Error("No such mailbox")) : done(null),
    onData: (stream, session, done) => {
      const parts: Array<Buffer> = []
      stream.on("data", (part: Buffer) => parts.push(part))
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, isSecure: session.secure, source: Buffer.concat(parts).toString("utf8") })
        done()
      })
    }
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const found = server.server.address()
  const port = typeof found === "object" ? (found?.port ?? 0) : 0
  const login = `${mailUser}:${encodeURIComponent(mailPassword)}`
  return {
    port,
    address: `smtp://${login}@127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((closed) => server.close(() => closed()))
  }
}

/** The text of a mail whose lines may be quoted-printable. */
export const plainText = ({ source }: Received): string =>
  source
    .slice(source.indexOf("\r\n\r\n") + 4)
    .replaceAll("=\r\n", "")
    .replaceAll("=3D", "=")
    .replaceAll("\r\n", "\n")
