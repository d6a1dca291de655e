import { Command } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import { options } from "../../app/Config.ts"
import { personsEmail } from "../Arguments.ts"
import { loaded } from "../Loaded.ts"

class NothingToRemove extends Data.TaggedError("NothingToRemove")<{ readonly message: string }> {}

export const RemoveSecondFactorCommand = Command.make(
  "remove-second-factor",
  { ...options, email: personsEmail },
  Effect.fnUntraced(function* ({ email: address, ...configuration }) {
    const { removeFactor } = yield* loaded(() => import("../../app/commands/OperatorAccess.ts"))
    const removed = yield* removeFactor(configuration, address)
    if (Option.isNone(removed)) {
      return yield* new NothingToRemove({ message: `Nobody has the e-mail address ${address}` })
    }
    if (!removed.value) return yield* new NothingToRemove({ message: `The account of ${address} has no second factor` })
    yield* Console.log(`${address} signs in with the password alone now`)
  })
).pipe(Command.withDescription("Take away the second factor of a person who has lost it; a server may run meanwhile"))
