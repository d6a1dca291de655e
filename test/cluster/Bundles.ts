import { join } from "node:path"
import { bundle } from "../support/Workers.ts"

const children = ["Child", "MigrationChild"]

/** Bundles the processes that tests start and kill: one that compiles each of its files takes ten times as long until it begins. */
export const setup = () =>
  bundle(Object.fromEntries(children.map((name) => [name, join(import.meta.dirname, `${name}.ts`)])))
