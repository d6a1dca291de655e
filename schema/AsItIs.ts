import { type Schema, SchemaAST } from "effect"
import type { Check } from "./Check.ts"
import { checkOf } from "./Checks.ts"
import { plainly } from "./Plainly.ts"
import { Report } from "./Report.ts"

/**
 * The schema for values of which one request may hold thousands. A value in which its check finds no problem is taken as it is: a question is
 * checked, decoded, planned, stored and answered, and each time its filters cost ten times as much to decode.
 */
export const asItIs = <A, I>(schema: Schema.Schema<A, I>) => {
  let compiled: Check | undefined
  // Nothing changes a value once it is read.
  const found = new WeakSet<object>()
  const isPlain = (value: unknown): value is A & I => {
    if (typeof value !== "object" || value === null) return false
    if (found.has(value)) return true
    const report = new Report()
    compiled ??= checkOf(schema, { isStrict: true })
    compiled(value, report)
    if (report.count === 0) found.add(value)
    return report.count === 0
  }
  return plainly(schema, isPlain, { [SchemaAST.SurrogateAnnotationId]: schema.ast })
}
