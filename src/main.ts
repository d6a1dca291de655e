import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ValidationError } from "@effect/cli"
import * as Runtime from "@effect/platform/Runtime"
import { Cause, Effect, Exit, Option } from "effect"
import { LogToStandardError } from "./app/Logs.ts"
import { run } from "./cli/Cli.ts"
import { EndsWith } from "./cli/EndsWith.ts"

const complain = (error: unknown) =>
  ValidationError.isValidationError(error) || error instanceof EndsWith
    ? Effect.void
    : Effect.sync(() => {
        const message = error instanceof Error ? error.message : String(error)
        process.stderr.write(`gamekeeper: ${message}\n`)
      })

const teardown: Runtime.Teardown = (exit, onExit) => {
  const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
  const isOwn = Option.isSome(failure) && failure.value instanceof EndsWith
  return isOwn ? onExit(failure.value.exitCode) : Runtime.defaultTeardown(exit, onExit)
}

// What this process writes (password hashes, players' data) is for its own user alone.
process.umask(0o077)

run(process.argv).pipe(
  Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : complain(Cause.squash(cause)))),
  Effect.provide([NodeContext.layer, LogToStandardError]),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown })
)
