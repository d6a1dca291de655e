import type { Permission } from "../access/Permission.ts"

/** The permission that each kind of live event asks for: what one may not read, one does not hear of. */
export const permissionOf = {
  markers: "markers:read",
  rejected: "markers:read",
  configuration: "configurations:read",
  experiments: "experiments:read",
  cohort: "cohorts:read",
  execution: "analytics:read"
} as const satisfies Readonly<Record<string, Permission>>

/** Kinds of live events. */
export type LiveKind = keyof typeof permissionOf

/** Every kind, in the order of the table. */
export const liveKinds = Object.keys(permissionOf).filter((name): name is LiveKind => name in permissionOf)

/** A live event in the server-sent events format, and its kind, which decides who hears it. */
export interface LiveFrame {
  readonly kind: LiveKind
  readonly text: string
}

/** A live event without an id: whoever comes back later does not get it again. `data` is JSON of one line. */
export const liveFrame = (kind: LiveKind, data: string): LiveFrame => ({
  kind,
  text: `event: ${kind}\ndata: ${data}\n\n`
})

/** The first event of a stream, and whenever it changes: the kinds that its reader hears. */
export const openFrame = (kinds: ReadonlyArray<LiveKind>): string =>
  `event: open\ndata: ${JSON.stringify({ kinds })}\n\n`
