import { appendFileSync } from "node:fs"
import { table } from "../../../schema/MarkdownTable.ts"
import { aimText, type Details, metText, type Row, spreadText, valueText } from "./Row.ts"

/** Names the file that takes what a benchmark hands over; `npm run bench` sets it. */
export const rowsVariable = "GAMEKEEPER_BENCH_ROWS"

const line = (each: Row): string => {
  const aim = aimText(each)
  const beside = each.peer === "" ? "" : ` ÷ ${each.peer}`
  const met = aim === "" ? "" : `, aim ${aim}: ${metText(each) === "yes" ? "met" : "missed"}`
  const note = each.note === "" ? "" : ` (${each.note})`
  return `= ${each.what}${beside}: ${valueText(each)} [${spreadText(each)}]${met}${note}`
}

/** Prints rows and tables, and hands them to the report, if one waits for them. Can be called several times. */
export const hand = (rows: ReadonlyArray<Row>, details: ReadonlyArray<Details> = []): void => {
  for (const each of rows) console.log(line(each))
  for (const { title, heads, lines } of details) console.log(`\n${title}\n${table(heads, lines)}\n`)
  const file = process.env[rowsVariable]
  // Written at once: a benchmark may be cut off, or end itself, right after.
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ rows, details })}\n`)
}
