import type { SchemaAST } from "effect"
import type { Report } from "./Report.ts"

/** Reports every problem of a value. */
export type Check = (value: unknown, report: Report) => void

/** Makes the check of a schema. */
export type Compile = (ast: SchemaAST.AST) => Check
