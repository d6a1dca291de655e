import { Context } from "effect"

/** The databases of one store, which several processes may share. */
export interface Databases {
  /** The address of the migrated database. */
  readonly postgres: string
  readonly clickHouse: { readonly url: string; readonly database: string }
}

/** Databases that stores use instead of some of their own, where a test has several processes. */
export class SharedDatabases extends Context.Tag("test/support/cluster/SharedDatabases")<
  SharedDatabases,
  Databases
>() {}
