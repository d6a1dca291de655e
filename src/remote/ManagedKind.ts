import { Schema } from "effect"

/** What is kept as files, in the order in which objects refer to each other. */
export const ManagedKind = Schema.Literal("configurations", "cohorts", "queries", "boards", "roles")
export type ManagedKind = typeof ManagedKind.Type
export const managedKinds = ManagedKind.literals
