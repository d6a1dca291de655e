import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Config, ConfigError, Effect, Either, Option, Redacted } from "effect"
import type { WeekStart } from "../domain/Calendar.ts"
import { listedOr } from "../domain/ListedOr.ts"
import type { CallerLimit } from "../ports/operations/Settings.ts"
import { isAddress } from "./Addresses.ts"
import { limitIn } from "./CallerLimits.ts"
import { type LogFormat, logFormats } from "./Logs.ts"
import { weekDays, weekStarts } from "./WeekDays.ts"

/** `--some-flag` is also `GAMEKEEPER_SOME_FLAG`. */
export const variable = (flag: string) => `GAMEKEEPER_${flag.toUpperCase().replaceAll("-", "_")}`

/** What was written for a setting, and the name under which it was: that of the flag or of the variable. */
interface Given {
  readonly name: string
  readonly written: string
}

/** The variable of a setting. An empty one is none: so are those that a file for containers passes on and nobody has set. */
const inVariable = (name: string): Config.Config<Given> =>
  Config.mapOrFail(Config.string(name), (written) =>
    written === "" ? Either.left(ConfigError.MissingData([name], `${name} is empty`)) : Either.right({ name, written })
  )

/** What is written for an option, read by `read`; where that finds nothing in it, `refusal` says why under the name that was used. */
const readBy = <A>(
  given: Options.Options<Given>,
  read: (written: string) => Option.Option<A>,
  refusal: (given: Given) => string
): Options.Options<A> =>
  Options.mapEffect(given, (each) =>
    Effect.mapError(read(each.written), () => ValidationError.invalidValue(HelpDoc.p(refusal(each))))
  )

const refusalBy =
  (rule: string) =>
  ({ name, written }: Given): string =>
    `${name} must be ${rule}, and not ${written === "" ? "empty" : written}`

const asGiven = (flag: string, option: Options.Options<string | number>): Options.Options<Given> =>
  Options.map(option, (value) => ({ name: `--${flag}`, written: String(value) }))

const flagOrVariable = (flag: string, option: Options.Options<string | number>): Options.Options<Given> =>
  Options.withFallbackConfig(asGiven(flag, option), inVariable(variable(flag)))

/** An option with a variable and without a default; `rule` is what it must be, in words. */
export const needed = <A>(
  flag: string,
  option: Options.Options<string | number>,
  read: (written: string) => Option.Option<A>,
  rule: string
): Options.Options<A> => readBy(flagOrVariable(flag, option), read, refusalBy(rule))

const setting = <A>(
  flag: string,
  option: Options.Options<string | number>,
  read: (written: string) => Option.Option<A>,
  refusal: (given: Given) => string,
  initial: A,
  description: string
): Options.Options<A> =>
  readBy(flagOrVariable(flag, option), read, refusal).pipe(
    Options.withDefault(initial),
    Options.withDescription(description)
  )

/** A text of which `read` makes the setting; `rule` is what it must be, in words. */
export const checked = <A>(
  flag: string,
  initial: A,
  read: (written: string) => Option.Option<A>,
  rule: string,
  description: string
): Options.Options<A> => setting(flag, Options.text(flag), read, refusalBy(rule), initial, description)

export const text = (flag: string, initial: string, description: string): Options.Options<string> =>
  checked(flag, initial, Option.some, "text", description)

/** A text that is not empty. */
export const filled = (flag: string, initial: string, description: string): Options.Options<string> =>
  checked(
    flag,
    initial,
    Option.liftPredicate((written) => written.trim() !== ""),
    "a text",
    description
  )

/** An address that is refused with a name or a password in it is not printed: whoever reads the log would have the password. */
const addressRefusal =
  (rule: string) =>
  (given: Given): string =>
    given.written.includes("@")
      ? `${given.name} must be ${rule}, without a name or password in it; what was given is not printed here, since it may hold a secret`
      : refusalBy(rule)(given)

/** The address of another server, or none; `rule` is what it must be, in words. */
export const addressThat = (
  isTaken: (written: string) => boolean,
  rule: string,
  flag: string,
  description: string
): Options.Options<string> =>
  setting(flag, Options.text(flag), Option.liftPredicate(isTaken), addressRefusal(rule), "", description)

export const address = (flag: string, description: string): Options.Options<string> =>
  addressThat(isAddress, "an http or https address such as https://play.example.com", flag, description)

/** What may have a secret in it, which nobody prints. */
export const secret = (
  flag: string,
  secretIn: (written: string) => Option.Option<Redacted.Redacted>,
  rule: string,
  description: string
): Options.Options<Redacted.Redacted> =>
  setting(
    flag,
    Options.text(flag),
    secretIn,
    ({ name }) =>
      `${name} must be ${rule}, and what was given is not; it is not printed here, since it may hold a secret`,
    Redacted.make(""),
    description
  )

type Range = readonly [low: number, high: number]

const numberIn =
  ([low, high]: Range, isRight: (value: number) => boolean) =>
  (written: string): Option.Option<number> => {
    const value = Number(written)
    return written.trim() !== "" && isRight(value) && value >= low && value <= high ? Option.some(value) : Option.none()
  }

const integerRule = ([low, high]: Range): string => `a whole number from ${low} to ${high}`

export const integer = (flag: string, initial: number, range: Range, description: string): Options.Options<number> =>
  setting(
    flag,
    Options.integer(flag),
    numberIn(range, Number.isSafeInteger),
    refusalBy(integerRule(range)),
    initial,
    description
  )

/** A whole number of at least 1 that is no setting of the server. */
export const countOption = (flag: string): Options.Options<number> =>
  readBy(
    asGiven(flag, Options.integer(flag)),
    numberIn([1, Number.MAX_SAFE_INTEGER], Number.isSafeInteger),
    refusalBy("a whole number of 1 or more")
  )

export const share = (flag: string, initial: number, description: string): Options.Options<number> =>
  setting(
    flag,
    Options.float(flag),
    numberIn([0, 1], Number.isFinite),
    refusalBy("a number from 0 to 1"),
    initial,
    description
  )

/** One of the texts `values`. */
export const choice = <A extends string, const B>(
  flag: string,
  initial: B,
  values: ReadonlyArray<A>,
  description: string
): Options.Options<A | B> =>
  setting<A | B>(
    flag,
    Options.choice(flag, values),
    (written) => Option.fromNullable(values.find((value) => value === written)),
    refusalBy(listedOr(values)),
    initial,
    description
  )

export const toggle = (flag: string, initial: boolean, description: string): Options.Options<boolean> =>
  choice(flag, initial ? "on" : "off", ["on", "off"], description).pipe(Options.map((value) => value === "on"))

export const limit = (
  flag: string,
  { perKey, perAddress }: CallerLimit,
  description: string
): Options.Options<CallerLimit> =>
  checked(flag, { perKey, perAddress }, limitIn, "two whole numbers above 0, as in 2000/500", description)

export const logFormat = (flag: string, description: string): Options.Options<LogFormat> =>
  choice(flag, logFormats.logfmt, [logFormats.logfmt, logFormats.json], description)

export const weekDay = (flag: string, description: string): Options.Options<WeekStart> =>
  choice(flag, "sunday", weekDays, description).pipe(Options.map((day) => weekStarts[day]))
