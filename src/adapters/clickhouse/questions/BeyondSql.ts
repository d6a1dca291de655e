import { Data } from "effect"

/** ClickHouse cannot answer the question to the last bit: the domain's function has to, from rows. */
export class BeyondSql extends Data.TaggedError("BeyondSql") {}
