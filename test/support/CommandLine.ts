import { NodeContext } from "@effect/platform-node"
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { run } from "../../src/cli/Cli.ts"

/** What a command line prints, and whether it succeeds. It must end before it does anything. */
export const ran = async (words: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) => {
  const lines: Array<string> = []
  const print = (...values: ReadonlyArray<unknown>) => Effect.sync(() => void lines.push(values.map(String).join(" ")))
  const exit = await run(["node", "gamekeeper", ...words]).pipe(
    Effect.withConsole({ ...globalConsole, log: print, error: print }),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    Effect.provide(NodeContext.layer),
    Effect.runPromiseExit
  )
  return { isDone: Exit.isSuccess(exit), out: lines.join("\n").trim() }
}

/** What the others of its methods do is left to it. */
export const globalConsole = Effect.runSync(Console.consoleWith(Effect.succeed))
