import { Config, Console, Effect } from "effect"
import { isatty } from "node:tty"

// oxlint-disable-next-line no-control-regex -- colours of a terminal
export const colours = /\u001B\[[0-9;]*m/g

const plain = (value: unknown): unknown => (typeof value === "string" ? value.replace(colours, "") : value)

const standardOutput = 1

/** Whether somebody sees colours, and wants them (https://no-color.org). */
const isColoured = Effect.map(
  Effect.orElseSucceed(Config.withDefault(Config.string("NO_COLOR"), ""), () => ""),
  (isUnwanted) => isUnwanted === "" && isatty(standardOutput)
)

/** What the library prints has colours, also in a pipe. */
export const withoutColours = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...values: ReadonlyArray<unknown>) => console.log(...values.map(plain)),
      error: (...values: ReadonlyArray<unknown>) => console.error(...values.map(plain))
    })
  )

/** Colours where a terminal shows them. */
export const colouredForTerminals = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.if(isColoured, { onTrue: () => effect, onFalse: () => withoutColours(effect) })
