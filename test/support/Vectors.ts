import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const folder = (): string | null => {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const candidate = join(at, "shared", "vectors")
    if (existsSync(candidate)) return candidate
    if (at === dirname(at)) return null
  }
}

/** The parsed file of published vectors, null where the checkout has none beside it. */
export const vectors = <A>(name: string): A | null => {
  const found = folder()
  const path = found === null ? null : join(found, name)
  return path === null || !existsSync(path) ? null : JSON.parse(readFileSync(path, "utf8"))
}
