import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect, Schema } from "effect"
import { Email, NewEmail, Title } from "../../schema/Text.ts"

const isEmail = Schema.is(Email)
const isNewEmail = Schema.is(NewEmail)

/** An e-mail address; another text is refused by the name of the option. */
export const emailOption = (name: string, description: string, isOne = isEmail): Options.Options<string> =>
  Options.text(name).pipe(
    Options.mapEffect((text) =>
      isOne(text)
        ? Effect.succeed(text)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name}: ${text} is no e-mail address`)))
    ),
    Options.withDescription(description)
  )

/** The address of an account that may be new. */
export const newEmailOption = (name: string, description: string) => emailOption(name, description, isNewEmail)

const isTitle = Schema.is(Title)

/** What somebody is called; a text that shows nothing is refused by the name of the option. */
export const nameOption = (name: string) =>
  Options.text(name).pipe(
    Options.mapEffect((text) =>
      isTitle(text)
        ? Effect.succeed(text)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name} must be 1 to 100 characters, not only spaces`)))
    )
  )

/** The person whom a command is about. */
export const personsEmail = emailOption("email", "Address of the person")

/** The arguments with `-`, which stands for standard input, last: the parser takes it for an option that it does not know. */
export const standardInputLast = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...argv.filter((each) => each !== "-"),
  ...argv.filter((each) => each === "-")
]
