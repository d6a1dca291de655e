import { Context, Data, type Effect } from "effect"

/** No backup was made, or none can be listed; the message says why. */
export class BackupUnmade extends Data.TaggedError("BackupUnmade")<{ readonly message: string }> {}

/** A complete backup of this installation. */
export interface KnownBackup {
  /** Its name in the folder. */
  readonly id: string
  /** Epoch milliseconds of the state that it holds. */
  readonly instant: number
  /** Its size, compressed. */
  readonly bytes: number
  readonly markers: number
  /** The version of the product that wrote it. */
  readonly version: string
  /** Whether markers were damaged already when they were backed up. */
  readonly isDamaged: boolean
}

/** Where this installation is backed up by itself. */
export class BackupFolder extends Context.Tag("ports/operations/BackupFolder")<
  BackupFolder,
  {
    /** The folder or the address of the bucket; null: the server makes no backups, and `refusal` says why. */
    readonly place: string | null
    readonly refusal: string
    /** The complete backups of this installation, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<KnownBackup>, BackupUnmade>
    /** Makes a backup in a process of its own, and deletes the oldest ones; answers what was done, in plain words. Interruption ends the process. */
    readonly make: Effect.Effect<string, BackupUnmade>
    /** Restores a backup beside, starts it and looks at it, in a process of its own; fails where something is wrong with it. */
    readonly drill: (id: string) => Effect.Effect<string, BackupUnmade>
  }
>() {}
