import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

type Value = string | number | boolean

interface KeyValue {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: string
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}

interface Sent {
  readonly resource: { readonly attributes: ReadonlyArray<KeyValue> }
}

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<KeyValue>
  readonly status: { readonly code?: number }
}

/** A span as a collector has decoded it. */
export interface CollectedSpan extends Omit<SentSpan, "attributes"> {
  readonly attributes: Readonly<Record<string, Value>>
  readonly service: Value | undefined
}

interface SentPoint {
  readonly attributes: ReadonlyArray<KeyValue>
  readonly asDouble?: number
  readonly count?: string
  readonly sum?: number
  readonly bucketCounts?: ReadonlyArray<string>
  readonly explicitBounds?: ReadonlyArray<number>
}

interface SentMetric {
  readonly name: string
  readonly unit?: string
  readonly sum?: { readonly dataPoints: ReadonlyArray<SentPoint> }
  readonly gauge?: { readonly dataPoints: ReadonlyArray<SentPoint> }
  readonly histogram?: { readonly dataPoints: ReadonlyArray<SentPoint> }
}

/** A line of the log as a collector has decoded it. */
export interface CollectedLine {
  readonly severityText: string
  readonly body: { readonly stringValue: string }
  readonly attributes: ReadonlyArray<KeyValue>
  readonly traceId?: string
  readonly spanId?: string
}

const valueOf = ({ stringValue, intValue, doubleValue, boolValue }: KeyValue["value"]): Value =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? "") : Number(intValue))

export const recordOf = (attributes: ReadonlyArray<KeyValue>): Readonly<Record<string, Value>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

/** How a collector behaves: a status, or no answer at all. */
export type Manner = number | "silent"

/** A collector of OTLP over HTTP on a port of this machine, which decodes the JSON that it is sent. */
export const openCollector = async (manner: Manner = 200) => {
  const state = { manner }
  const spans: Array<CollectedSpan> = []
  const metrics: Array<SentMetric> = []
  const lines: Array<CollectedLine> = []
  const asked: Array<{ readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }> = []

  const take = (path: string, body: string): void => {
    const told = JSON.parse(body)
    if (path === "/v1/traces") {
      for (const { resource, scopeSpans } of told.resourceSpans as ReadonlyArray<
        Sent & { readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<SentSpan> }> }
      >) {
        const service = recordOf(resource.attributes)["service.name"]
        for (const span of scopeSpans.flatMap((each) => each.spans)) {
          spans.push({ ...span, attributes: recordOf(span.attributes), service })
        }
      }
    } else if (path === "/v1/metrics") {
      for (const { scopeMetrics } of told.resourceMetrics)
        for (const each of scopeMetrics) metrics.push(...each.metrics)
    } else {
      for (const { scopeLogs } of told.resourceLogs) for (const each of scopeLogs) lines.push(...each.logRecords)
    }
  }

  const answer = (response: ServerResponse, path: string, body: string): void => {
    if (state.manner === "silent") return
    if (state.manner === 200) take(path, body)
    response.writeHead(state.manner, { "content-type": "application/json" }).end("{}")
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const [path, body] = [request.url ?? "", Buffer.concat(chunks).toString()]
      asked.push({ path, headers: request.headers, body })
      answer(response, path, body)
    })
  })
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, spans, metrics, lines, asked, state, close }
}

export type Collector = Awaited<ReturnType<typeof openCollector>>
