import { Layer, Logger } from "effect"

/** How lines of the log are written: as `key=value`, or as JSON objects, one a line. */
export const logFormats = { logfmt: "logfmt", json: "json" } as const
export type LogFormat = (typeof logFormats)[keyof typeof logFormats]

const logfmt = Logger.withConsoleError(Logger.logfmtLogger)

/** The log of every command: on standard error, so that output stays what was asked for. */
export const LogToStandardError = Logger.replace(Logger.defaultLogger, logfmt)

/** The same in that format. */
export const LogAs = (format: LogFormat) =>
  format === "json" ? Logger.replace(logfmt, Logger.withConsoleError(Logger.jsonLogger)) : Layer.empty
