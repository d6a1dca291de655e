import { Options } from "@effect/cli"
import { Email } from "../../schema/Text.ts"

/** The person whom a command is about. */
export const personsEmail = Options.text("email").pipe(
  Options.withSchema(Email),
  Options.withDescription("Address of the person")
)

/** The arguments with `-`, which stands for standard input, last: the parser takes it for an option that it does not know. */
export const standardInputLast = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...argv.filter((each) => each !== "-"),
  ...argv.filter((each) => each === "-")
]
