import { SqlClient } from "@effect/sql"
import { Context, Layer } from "effect"

/**
 * The client for reads whose cost grows with the number of stored rows, so that no other request waits for them: for a file they run in a
 * thread of their own. They see what is committed. Within a transaction they use its connection.
 */
export class LongReads extends Context.Tag("adapters/sql/LongReads")<LongReads, SqlClient.SqlClient>() {}

/** The same client as for everything else: for a server, which does the work itself, and for what no thread can open, such as `:memory:`. */
export const LongReadsHere = Layer.effect(LongReads, SqlClient.SqlClient)
