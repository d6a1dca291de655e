import { atLeast } from "./CohortAnalyst.ts"

export const one = (condition: object) => ({ op: "and", children: [condition] })

export const behaviour = atLeast(1, "Level").children[0]!

export const nested = (depth: number): object => (depth === 0 ? behaviour : one(nested(depth - 1)))
