import { Context } from "effect"

/**
 * Counts committed writes to keys, projects and environments since the process started. While the version stays the
 * same, so do the permissions of every key.
 */
export class AccessVersion extends Context.Tag("ports/access/AccessVersion")<
  AccessVersion,
  {
    readonly current: () => number
  }
>() {}
