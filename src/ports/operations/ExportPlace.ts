import { Context, Data, type Effect } from "effect"

/** Nothing was exported, or it cannot be told when something was; the message says why. */
export class ExportUnmade extends Data.TaggedError("ExportUnmade")<{ readonly message: string }> {}

/** Where the markers of the whole server are exported to by themselves. */
export class ExportPlace extends Context.Tag("ports/operations/ExportPlace")<
  ExportPlace,
  {
    /** When the last complete export ended (epoch ms); null: never. */
    readonly last: Effect.Effect<number | null, ExportUnmade>
    /** Exports what has changed since, in a process of its own; answers what was done, in plain words. Interruption ends the process. */
    readonly make: Effect.Effect<string, ExportUnmade>
  }
>() {}
