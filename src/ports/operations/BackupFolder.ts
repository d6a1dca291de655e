import { Context, Data, type Effect } from "effect"

/** No backup was made, or none can be listed; the message says why. */
export class BackupUnmade extends Data.TaggedError("BackupUnmade")<{ readonly message: string }> {}

/** Where this installation is backed up by itself; none where it is not. */
export class BackupFolder extends Context.Tag("ports/operations/BackupFolder")<
  BackupFolder,
  {
    /** Instants of the complete backups of this installation (epoch ms), ascending. */
    readonly instants: Effect.Effect<ReadonlyArray<number>, BackupUnmade>
    /** Makes a backup in a process of its own, and deletes the oldest ones; answers what was done, in plain words. Interruption ends the process. */
    readonly make: Effect.Effect<string, BackupUnmade>
  }
>() {}
