import { Context } from "effect"

/** Counts committed writes to keys, projects and environments while the process runs: while it stays the same, keys may do what they could. */
export class AccessVersion extends Context.Tag("ports/access/AccessVersion")<
  AccessVersion,
  {
    readonly current: () => number
  }
>() {}
