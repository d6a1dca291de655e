import {
  Cause,
  Context,
  FiberRef,
  FiberRefs,
  HashMap,
  Inspectable,
  Layer,
  Logger,
  type LogLevel,
  Option,
  Tracer
} from "effect"
import { Effect } from "effect"
import { attributesOf, type Collector, scope } from "./Encoding.ts"
import { makeExporter } from "./Exporter.ts"

/** Numbers of severity, of which each name has four. */
const severities: Readonly<Record<LogLevel.LogLevel["_tag"], number>> = {
  All: 0,
  None: 0,
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warning: 13,
  Error: 17,
  Fatal: 21
}

/** What is said in a line: texts as they are, all else as the log on standard error shows it. */
const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map((part: unknown) => Inspectable.toStringUnknown(part, 0)).join(" ")

const spanOf = (context: FiberRefs.FiberRefs) =>
  Context.getOption(FiberRefs.getOrDefault(context, FiberRef.currentContext), Tracer.ParentSpan)

const recordOf = ({ date, logLevel, message, cause, annotations, context }: Logger.Logger.Options<unknown>) => {
  const failure: ReadonlyArray<readonly [string, unknown]> = Cause.isEmpty(cause)
    ? []
    : [["exception.stacktrace", Cause.pretty(cause, { renderErrorCause: true })]]
  const span = Option.getOrNull(spanOf(context))
  return {
    timeUnixNano: `${date.getTime()}000000`,
    severityNumber: severities[logLevel._tag],
    severityText: logLevel.label,
    body: { stringValue: textOf(message) },
    attributes: attributesOf([...HashMap.entries(annotations), ...failure]),
    ...(span?._tag === "Span" && span.sampled ? { traceId: span.traceId, spanId: span.spanId } : {})
  }
}

/** Tells a collector of every line of the log, beside standard error. */
export const OtlpLogs = ({ endpoint, headers, resource }: Collector) =>
  Layer.unwrapScoped(
    Effect.map(
      makeExporter<ReturnType<typeof recordOf>>({
        name: "Lines of the log",
        url: `${endpoint}/v1/logs`,
        headers,
        most: 2048,
        perBatch: 512,
        every: "5 seconds",
        encode: (logRecords) => ({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] })
      }),
      ({ push }) => Logger.add(Logger.make((line) => push(recordOf(line))))
    )
  )
