import { Command } from "@effect/cli"
import { Console, Data, Effect } from "effect"
import { options, settingsOf } from "../app/Config.ts"
import { sendTestMail } from "../app/Mailing.ts"
import { emailOption } from "./Arguments.ts"

class MailFailed extends Data.TaggedError("MailFailed")<{ readonly message: string }> {}

const to = emailOption("to", "Address that the mail is sent to")

export const TestMailCommand = Command.make(
  "test-mail",
  { ...options, to },
  Effect.fnUntraced(function* ({ to: address, ...configuration }) {
    yield* Effect.catchTag(
      sendTestMail(configuration, settingsOf(configuration).publicUrl, address),
      "MailNotSent",
      ({ reason }) => new MailFailed({ message: `The mail to ${address} was not sent: ${reason}` })
    )
    yield* Console.log(`The mail server has taken a mail to ${address}`)
  })
).pipe(Command.withDescription("Send a mail that shows that the server's mails arrive"))
