import { Command, Options, Prompt } from "@effect/cli"
import { Config, Console, Data, Effect, Option, Redacted, Schema } from "effect"
import { isatty } from "node:tty"
import { options } from "../../app/Config.ts"
import { nameOption, newEmailOption } from "../Arguments.ts"
import { loaded } from "../Loaded.ts"

class PasswordRefused extends Data.TaggedError("PasswordRefused")<{ readonly message: string }> {}

const admin = {
  email: newEmailOption("email", "Address to sign in with"),
  name: nameOption("name").pipe(Options.withDefault("Admin"), Options.withDescription("Name of the person (Admin)")),
  password: Options.redacted("password").pipe(
    Options.withFallbackConfig(Config.redacted(Config.nonEmptyString("GAMEKEEPER_ADMIN_PASSWORD"))),
    Options.optional,
    Options.withDescription("Password; asked for where neither this nor GAMEKEEPER_ADMIN_PASSWORD is given")
  )
}

/** Asks the person at the terminal; fails at once where standard input is no terminal, because nobody could answer. */
const askForPassword = Effect.gen(function* () {
  const standardInput = 0
  if (yield* Effect.sync(() => isatty(standardInput)))
    return yield* Prompt.password({ message: "Password (8 to 256 characters)" })
  return yield* new PasswordRefused({
    message: "create-admin needs a password: set GAMEKEEPER_ADMIN_PASSWORD, or run it in a terminal to be asked for one"
  })
})

const isLongEnough = Schema.is(Schema.String.pipe(Schema.minLength(8), Schema.maxLength(256)))

export const CreateAdminCommand = Command.make(
  "create-admin",
  { ...options, ...admin },
  Effect.fnUntraced(function* ({ email, name, password: given, ...configuration }) {
    const password = yield* Option.match(given, { onNone: () => askForPassword, onSome: Effect.succeed })
    if (!isLongEnough(Redacted.value(password))) {
      return yield* new PasswordRefused({ message: "A password has 8 to 256 characters" })
    }
    const { ensureAdmin } = yield* loaded(() => import("../../app/commands/OperatorAccess.ts"))
    const { isNew } = yield* ensureAdmin(configuration, { email, name, password })
    yield* Console.log(isNew ? `${email} can sign in now` : `${email} was there already and has the new password now`)
  })
).pipe(Command.withDescription("Make a person who owns an organization, or give them a new password"))
