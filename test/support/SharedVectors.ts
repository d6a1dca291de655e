import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const find = (folder: string): string | null => {
  const candidate = join(folder, "shared", "vectors")
  if (existsSync(candidate)) return candidate
  return dirname(folder) === folder ? null : find(dirname(folder))
}

const folder = find(dirname(import.meta.dirname))

/** Published reference values from a `shared/vectors` folder in a parent of the repository; null when there is none. */
export const sharedVectors = <A>(name: string): A | null => {
  const path = folder === null ? null : join(folder, `${name}.json`)
  return path !== null && existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as A) : null
}
