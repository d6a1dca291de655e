import { Command } from "@effect/cli"
import { Console, Data, DateTime, Effect, Option } from "effect"
import { options } from "../../app/Config.ts"
import { personsEmail } from "../Arguments.ts"
import { loaded } from "../Loaded.ts"

class NobodyThere extends Data.TaggedError("NobodyThere")<{ readonly message: string }> {}

class AddressUnknown extends Data.TaggedError("AddressUnknown")<{ readonly message: string }> {}

export const ResetPasswordCommand = Command.make(
  "reset-password",
  { ...options, email: personsEmail },
  Effect.fnUntraced(function* ({ email: address, ...configuration }) {
    if (configuration.publicUrl === "" && configuration.port === 0)
      return yield* new AddressUnknown({
        message:
          "--port 0 does not say where the server listens, so that no link leads to it: give its address by --public-url"
      })
    const { resetLink } = yield* loaded(() => import("../../app/commands/OperatorAccess.ts"))
    const made = yield* resetLink(configuration, address)
    if (Option.isNone(made)) return yield* new NobodyThere({ message: `Nobody has the e-mail address ${address}` })
    const { url, expiresAt } = made.value
    yield* Console.log(url)
    yield* Console.error(
      `Whoever has this link chooses the password of ${address}: it works once, until ${DateTime.formatIso(expiresAt)}`
    )
  })
).pipe(Command.withDescription("Print a link by which a person chooses another password; a server may run meanwhile"))
