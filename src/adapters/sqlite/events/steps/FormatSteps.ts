import type Database from "better-sqlite3"
import { toFormat1 } from "./Format1.ts"
import { toFormat2 } from "./Format2.ts"
import { toFormat3 } from "./Format3.ts"
import { toFormat4 } from "./Format4.ts"
import { toFormat5 } from "./Format5.ts"
import { toFormat6 } from "./Format6.ts"
import { toFormat7 } from "./Format7.ts"
import { toFormat8 } from "./Format8.ts"

/** `formatSteps[n]` brings a file of format n to format n + 1, inside a transaction. An empty file has format 0. */
export const formatSteps: ReadonlyArray<(db: Database.Database) => void> = [
  toFormat1,
  toFormat2,
  toFormat3,
  toFormat4,
  toFormat5,
  toFormat6,
  toFormat7,
  toFormat8
]
