// reads: data/vectors
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const folder = resolve(import.meta.dirname, "../../data/vectors")

/** The parsed file of published vectors; throws where it is missing. */
export const vectors = <A>(name: string): A => JSON.parse(readFileSync(join(folder, name), "utf8"))
