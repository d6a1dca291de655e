/** The media type of each format that a table is written in. */
export const tableFormats = {
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet"
} as const

export type TableFormat = keyof typeof tableFormats

const named: ReadonlyArray<readonly [type: string, format: TableFormat]> = [
  ["application/x-ndjson", "ndjson"],
  ["application/jsonl", "ndjson"],
  ["text/csv", "csv"],
  ["application/vnd.apache.parquet", "parquet"]
]

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const given = parameters
    .map((one) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1])
    .find((q) => q !== undefined)
  return given === undefined ? 1 : Number(given)
}

/**
 * The format of tables that a field `Accept` (RFC 9110, section 12.5.1) prefers to JSON; null where it does not. Of equal weights the
 * first counts.
 */
export const acceptedFormat = (accept: string): TableFormat | null => {
  let [best, highest]: [TableFormat | null, number] = [null, 0]
  for (const part of accept.split(",")) {
    const [type = "", ...parameters] = part.split(";")
    const name = type.trim().toLowerCase()
    const format = named.find(([each]) => each === name)?.[1] ?? null
    const isJson = name === "application/json" || name === "application/*" || name === "*/*"
    if (format === null && !isJson) continue
    const weight = weightOf(parameters)
    if (weight > highest) [best, highest] = [format, weight]
  }
  return best
}
