import { join } from "node:path"
import { bundle } from "../support/Workers.ts"

const children = ["Child", "MigrationChild"].map((name) => [name, join(import.meta.dirname, `${name}.ts`)])

const workers = join(import.meta.dirname, "..", "..", "src", "adapters", "clickhouse", "workers")

/** Bundles the processes that tests start and kill, since one that compiles each of its files takes ten times as long until it begins, and the worker. */
export const setup = () => bundle(Object.fromEntries([...children, ["MarkerReader", join(workers, "MarkerReader.ts")]]))
