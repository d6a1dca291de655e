import { Array, Cause, HashMap, Inspectable, Logger, LogLevel } from "effect"
import { RepeatedLines } from "../domain/operations/RepeatedLines.ts"
import { StoreFull, StoreLost } from "../ports/analytics/EventStore.ts"
import { StoreUnavailable } from "../ports/analytics/StoreUnavailable.ts"
import { MetadataDamaged } from "../ports/operations/MetadataDamaged.ts"
import { MetadataUnavailable } from "../ports/operations/MetadataUnavailable.ts"

/** How lines of the log are written: as `key=value`, or as JSON objects, one a line. */
export const logFormats = { logfmt: "logfmt", json: "json" } as const
export type LogFormat = (typeof logFormats)[keyof typeof logFormats]

/** What is the matter with the stores; where in the program it was found says nothing more to who reads it. */
const faultIn = (cause: Cause.Cause<unknown>): string | null => {
  const reason = Cause.isEmpty(cause) ? null : Cause.squash(cause)
  const isFault =
    reason instanceof StoreFull ||
    reason instanceof StoreLost ||
    reason instanceof StoreUnavailable ||
    reason instanceof MetadataUnavailable ||
    reason instanceof MetadataDamaged
  return isFault ? reason.message : null
}

/** Writes what failed by a fault of the stores with its reason in a line, and all else with its whole cause. */
export const plain = <Output>(logger: Logger.Logger<unknown, Output>): Logger.Logger<unknown, Output> =>
  Logger.mapInputOptions(logger, (line) => {
    const fault = faultIn(line.cause)
    if (fault === null) return line
    const said = Array.ensure(line.message).map((part) => Inspectable.toStringUnknown(part, 0))
    return { ...line, message: `${said.join(" ")}: ${fault}`, cause: Cause.empty }
  })

const logfmt = Logger.withConsoleError(plain(Logger.logfmtLogger))

const written = { logfmt, json: Logger.withConsoleError(plain(Logger.jsonLogger)) }

/** The log of every command: on standard error, so that output stays what was asked for. */
export const LogToStandardError = Logger.replace(Logger.defaultLogger, logfmt)

/** What two lines have in common that say the same; where in the program it happened is left aside. */
const saidIn = ({ logLevel, message, cause, annotations }: Logger.Logger.Options<unknown>): string =>
  Inspectable.toStringUnknown(
    [logLevel.label, message, Cause.isEmpty(cause) ? null : String(Cause.squash(cause)), [...annotations]],
    0
  )

/**
 * Writes warnings and errors that say the same once a minute; the next one has as `repeated` how many were left out before it. Lines below
 * them tell what happened and when, and are all written.
 */
export const sparing = (logger: Logger.Logger<unknown, void>): Logger.Logger<unknown, void> => {
  const lines = new RepeatedLines()
  return Logger.make((line) => {
    if (LogLevel.lessThan(line.logLevel, LogLevel.Warning)) return logger.log(line)
    const leftOut = lines.leftOutBefore(saidIn(line), line.date.getTime())
    if (leftOut === null) return
    logger.log(leftOut === 0 ? line : { ...line, annotations: HashMap.set(line.annotations, "repeated", leftOut) })
  })
}

/** The log of a server, which runs for months: in that format, and sparing of what repeats. */
export const LogAs = (format: LogFormat) => Logger.replace(logfmt, sparing(written[format]))
