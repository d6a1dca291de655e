import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ValidationError } from "@effect/cli"
import { Cause, Effect, Logger } from "effect"
import { run } from "./cli/Cli.ts"

const LogToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

const complain = (error: unknown) =>
  ValidationError.isValidationError(error)
    ? Effect.void
    : Effect.sync(() => {
        const message = error instanceof Error ? error.message : String(error)
        process.stderr.write(`gamekeeper: ${message}\n`)
      })

// What this process writes (password hashes, players' data) is for its own user alone.
process.umask(0o077)

run(process.argv).pipe(
  Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : complain(Cause.squash(cause)))),
  Effect.provide([NodeContext.layer, LogToStderr]),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
