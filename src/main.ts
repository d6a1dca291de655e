import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ValidationError } from "@effect/cli"
import { isPlatformError } from "@effect/platform/Error"
import * as Runtime from "@effect/platform/Runtime"
import { Cause, Effect, Exit, Layer, Option, Predicate, Ref } from "effect"
import { constants } from "node:os"
import { reasonOf } from "./adapters/local/ReasonOf.ts"
import { FoldersOneByOne } from "./adapters/node/Folders.ts"
import { LogToStandardError } from "./app/Logs.ts"
import { run } from "./cli/Cli.ts"
import { EndsWith } from "./cli/EndsWith.ts"
import { MeaningOfStop } from "./ports/operations/MeaningOfStop.ts"

/** What an error says; one without a message is told by what was behind it, or by its name. */
const sentenceOf = (error: unknown): string => {
  // The platform's own sentence is for who writes programs: "PermissionDenied: FileSystem.access (…)".
  if (isPlatformError(error)) return reasonOf(error)
  if (!(error instanceof Error)) return Predicate.hasProperty(error, "message") ? String(error.message) : String(error)
  if (error.message !== "") return error.message
  return error.cause === undefined ? error.name : sentenceOf(error.cause)
}

const complain = (error: unknown) =>
  ValidationError.isValidationError(error) || error instanceof EndsWith
    ? Effect.void
    : Effect.sync(() => {
        process.stderr.write(`gamekeeper: ${sentenceOf(error)}\n`)
      })

const meaningOfStop = Ref.unsafeMake<string | null>("what it was to do is not done")

let stoppedBy: "SIGINT" | "SIGTERM" | null = null

const onInterrupt = () => void (stoppedBy ??= "SIGINT")
const onTerminate = () => void (stoppedBy ??= "SIGTERM")

process.once("SIGINT", onInterrupt)
process.once("SIGTERM", onTerminate)

/** The exit code of work that a signal has cut short, as shells count it; undefined where none has. */
const codeOfStop = (exit: Exit.Exit<unknown, unknown>): number | undefined => {
  const meaning = Effect.runSync(Ref.get(meaningOfStop))
  const isCut = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
  if (stoppedBy === null || meaning === null || !isCut) return undefined
  process.stderr.write(`gamekeeper: stopped by ${stoppedBy}: ${meaning}\n`)
  return 128 + constants.signals[stoppedBy]
}

const teardown: Runtime.Teardown = (exit, onExit) => {
  process.off("SIGINT", onInterrupt)
  process.off("SIGTERM", onTerminate)
  const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
  const isOwn = Option.isSome(failure) && failure.value instanceof EndsWith
  if (isOwn) return onExit(failure.value.exitCode)
  const code = codeOfStop(exit)
  return code === undefined ? Runtime.defaultTeardown(exit, onExit) : onExit(code)
}

/**
 * Whoever read the output has gone, as `head` does after its first line: the work goes on, be it a server or an apply in the middle. What cannot be
 * written otherwise, to a full disk for example, is told once, and the exit code says it too.
 */
const onUnwritten = (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode === 1) return
  process.exitCode = 1
  process.stderr.write(`gamekeeper: the output cannot be written: ${error.message}\n`)
}

process.stdout.on("error", onUnwritten)
process.stderr.on("error", () => undefined)

// What this process writes (password hashes, players' data) is for its own user alone.
process.umask(0o077)

run(process.argv).pipe(
  Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : complain(Cause.squash(cause)))),
  Effect.provide([Layer.provideMerge(FoldersOneByOne, NodeContext.layer), LogToStandardError]),
  Effect.provideService(MeaningOfStop, meaningOfStop),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown })
)
