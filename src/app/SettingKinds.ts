import { Options } from "@effect/cli"
import { Config, Option, type Redacted } from "effect"
import type { WeekStart } from "../domain/Calendar.ts"
import type { CallerLimit } from "../ports/operations/Settings.ts"
import { isAddress } from "./Addresses.ts"
import { limitIn } from "./CallerLimits.ts"
import { type LogFormat, logFormats } from "./Logs.ts"
import { weekDays, weekStarts } from "./WeekDays.ts"

/** `--some-flag` is also `GAMEKEEPER_SOME_FLAG`. */
export const variable = (flag: string) => `GAMEKEEPER_${flag.toUpperCase().replaceAll("-", "_")}`

export const text = (flag: string, initial: string, description: string): Options.Options<string> =>
  Options.text(flag).pipe(
    Options.withFallbackConfig(Config.string(variable(flag))),
    Options.withDefault(initial),
    Options.withDescription(description)
  )

export const address = (flag: string, description: string): Options.Options<string> =>
  text(flag, "", description).pipe(
    Options.filterMap(
      Option.liftPredicate(isAddress),
      `--${flag} (${variable(flag)}) must be an http or https address such as https://play.example.com`
    ),
    Options.withDescription(description)
  )

/** What may have a secret in it, which nobody prints. */
export const secret = (
  flag: string,
  secretIn: (written: string) => Option.Option<Redacted.Redacted>,
  rule: string,
  description: string
): Options.Options<Redacted.Redacted> =>
  text(flag, "", description).pipe(
    Options.filterMap(secretIn, `--${flag} (${variable(flag)}) must be ${rule}`),
    Options.withDescription(description)
  )

export const integer = (flag: string, initial: number, range: readonly [number, number], description: string) => {
  const [low, high] = range
  const option: Options.Options<number> = Options.integer(flag).pipe(
    Options.withFallbackConfig(Config.integer(variable(flag))),
    Options.withDefault(initial)
  )
  return option.pipe(
    Options.filterMap(
      Option.liftPredicate((value) => value >= low && value <= high),
      `--${flag} (${variable(flag)}) must lie between ${low} and ${high}`
    ),
    Options.withDescription(description)
  )
}

export const toggle = (flag: string, initial: boolean, description: string): Options.Options<boolean> =>
  Options.choice(flag, ["on", "off"]).pipe(
    Options.withFallbackConfig(Config.literal("on", "off")(variable(flag))),
    Options.map((value) => value === "on"),
    Options.withDefault(initial),
    Options.withDescription(description)
  )

export const limit = (
  flag: string,
  { perKey, perAddress }: CallerLimit,
  description: string
): Options.Options<CallerLimit> =>
  text(flag, `${perKey}/${perAddress}`, description).pipe(
    Options.filterMap(limitIn, `--${flag} (${variable(flag)}) must be two whole numbers above 0, as in 2000/500`)
  )

export const logFormat = (flag: string, description: string): Options.Options<LogFormat> =>
  Options.choice(flag, [logFormats.logfmt, logFormats.json]).pipe(
    Options.withFallbackConfig(Config.literal(logFormats.logfmt, logFormats.json)(variable(flag))),
    Options.withDefault<LogFormat>(logFormats.logfmt),
    Options.withDescription(description)
  )

export const weekDay = (flag: string, description: string): Options.Options<WeekStart> =>
  Options.choice(flag, weekDays).pipe(
    Options.withFallbackConfig(Config.literal(...weekDays)(variable(flag))),
    Options.withDefault("sunday" as const),
    Options.map((day) => weekStarts[day]),
    Options.withDescription(description)
  )
