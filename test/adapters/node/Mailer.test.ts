import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import { createServer, type Socket } from "node:net"
import { NoMailer, SmtpMailer, transportOf } from "../../../src/adapters/node/Mailer.ts"
import { type Mail, Mailer } from "../../../src/ports/operations/Mailer.ts"
import { mailPassword, mailServer, mailUser, plainText } from "../../support/access/MailServer.ts"

const mail: Mail = { to: "ada@studio.example", subject: "Grüße", text: "A line\nhttps://studio.example/reset#a=b\n" }

const sending = (smtp: string, wanted: Mail = mail) =>
  Effect.runPromise(
    Effect.flatMap(Mailer, ({ send }) => Effect.either(send(wanted))).pipe(
      Effect.provide(SmtpMailer(Redacted.make(smtp), "Emberkeep <live@emberkeep.example>"))
    )
  )

const reasonOf = async (smtp: string, wanted: Mail = mail): Promise<string> => {
  const sent = await sending(smtp, wanted)
  return Either.isLeft(sent) ? sent.left.reason : "sent"
}

describe("mails by SMTP", () => {
  let server: Awaited<ReturnType<typeof mailServer>>

  beforeAll(async () => {
    server = await mailServer()
  })
  afterAll(() => server.close())

  it("reach the mail server over TLS, whole, from whom they should be", async () => {
    assert.isTrue(Either.isRight(await sending(server.address)))
    const [received] = server.received
    assert.isDefined(received)
    if (received === undefined) return
    assert.deepStrictEqual(received.to, [mail.to])
    assert.isTrue(received.isSecure)
    assert.match(received.source, /^From: Emberkeep <live@emberkeep\.example>\r$/m)
    assert.match(received.source, /^Subject: =\?UTF-8\?/m)
    assert.strictEqual(plainText(received).trimEnd(), mail.text.trimEnd())
  })

  it("say why they were not sent, without the password", async () => {
    const wrong = await reasonOf(`smtp://${mailUser}:wrong-secret@127.0.0.1:${server.port}`)
    assert.match(wrong, /Invalid username or password …/)
    assert.notInclude(wrong, "wrong-secret")
    assert.match(await reasonOf(server.address, { ...mail, to: "refused@studio.example" }), /No such mailbox/)
    assert.match(await reasonOf("smtp://127.0.0.1:1"), /ECONNREFUSED/)
  })

  it("are given up in time by a caller that runs to its end, also where the mail server never comes to one", async () => {
    const endless = createServer((socket) => {
      socket.write("220 live\r\n")
      const going = setInterval(() => socket.write("250-and\r\n"), 50)
      socket.on("close", () => clearInterval(going)).on("error", () => undefined)
      sockets.add(socket)
    })
    const sockets = new Set<Socket>()
    await new Promise<void>((listening) => endless.listen(0, "127.0.0.1", listening))
    const found = endless.address()
    const port = typeof found === "object" ? (found?.port ?? 0) : 0
    const sent = await Effect.runPromise(
      Effect.flatMap(Mailer, ({ send }) => Effect.uninterruptible(Effect.flip(send(mail)))).pipe(
        Effect.provide(SmtpMailer(Redacted.make(`smtp://127.0.0.1:${port}`), "live@studio.example", 300))
      )
    )
    assert.strictEqual(sent.reason, "No answer within 0.3 s")
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => endless.close(closed))
  })

  it("carry no second recipient and no header of somebody's choice", async () => {
    await sending(server.address, { ...mail, to: "eve@studio.example, bob@studio.example" })
    await sending(server.address, { ...mail, subject: "Hello\r\nBcc: bob@studio.example" })
    assert.isFalse(server.received.some(({ to }) => to.includes("bob@studio.example")))
    assert.isFalse(server.received.some(({ source }) => /^Bcc:/m.test(source)))
  })

  it("give a password to no server of the network without TLS", () => {
    const options = (address: string) => transportOf(new URL(address))
    assert.include(options("smtp://live:secret@mail.example"), { port: 587, secure: false, requireTLS: true })
    assert.deepInclude(options("smtp://live:secret@mail.example"), { tls: { rejectUnauthorized: true } })
    assert.include(options("smtps://live:secret@mail.example"), { port: 465, secure: true })
    assert.include(options("smtp://mail.example:25"), { port: 25, requireTLS: false })
    assert.include(options("smtp://live:secret@[::1]"), { host: "::1", requireTLS: false })
    assert.deepInclude(options(server.address), { auth: { user: mailUser, pass: mailPassword }, requireTLS: false })
  })

  it("are not sent where no server is configured", async () => {
    const sent = await Effect.runPromise(
      Effect.flatMap(Mailer, ({ isConfigured, send }) =>
        Effect.map(Effect.flip(send(mail)), ({ reason }) => ({ isConfigured, reason }))
      ).pipe(Effect.provide(NoMailer))
    )
    assert.isFalse(sent.isConfigured)
    assert.include(sent.reason, "--smtp")
  })
})
