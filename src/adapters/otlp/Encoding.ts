/** How values are written in the JSON of OTLP (opentelemetry-proto 1.x): integers of 64 bits are texts. */
export interface KeyValue {
  readonly key: string
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean }
}

/** A text longer than this is cut: a statement may be written by a program, and a cause may be deep. */
const longestText = 4096

const valueOf = (value: unknown): KeyValue["value"] => {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value !== "number") return { stringValue: String(value).slice(0, longestText) }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Attributes of a span, a line or a point. */
export const attributesOf = (entries: Iterable<readonly [string, unknown]>): ReadonlyArray<KeyValue> =>
  Array.from(entries, ([key, value]) => ({ key, value: valueOf(value) }))

/** Who sends: one for the whole process. */
export interface Resource {
  readonly attributes: ReadonlyArray<KeyValue>
}

/** Says by which process of which service something was told. */
export const resourceOf = (service: string, version: string, instance: string): Resource => ({
  attributes: attributesOf([
    ["service.name", service],
    ["service.version", version],
    ["service.instance.id", instance]
  ])
})

/** Which collector is told, and by whom. */
export interface Collector {
  /** Its address, to which the path of each signal is added. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Resource
}

/** Who measured, as OTLP asks: the server alone. */
export const scope = { name: "gamekeeper" }
