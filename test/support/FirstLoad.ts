import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { root } from "./Server.ts"

interface Output {
  readonly entryPoint?: string
  readonly cssBundle?: string
  readonly imports: ReadonlyArray<{ readonly path: string; readonly kind: string }>
}

const built = join(root, "dist", "web")

/** Names of the scripts and styles that a browser with an empty cache loads to show what these source files begin. */
const neededFor = (entries: ReadonlyArray<string>): ReadonlySet<string> => {
  const { outputs }: { readonly outputs: Readonly<Record<string, Output>> } = JSON.parse(
    readFileSync(join(built, "metafile.json"), "utf8")
  )
  const known = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
  const needed = new Set<string>()
  const need = (path: string): void => {
    const name = basename(path)
    if (needed.has(name) || !/\.(js|css)$/.test(name)) return
    needed.add(name)
    const output = known.get(name)
    if (output?.cssBundle !== undefined) need(output.cssBundle)
    for (const { path: next, kind } of output?.imports ?? []) {
      // A page brings its style along as a file of its own.
      if (kind === "import-statement" || kind === "file-loader") need(next)
    }
  }
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint !== undefined && ["src/web/main.tsx", ...entries].includes(entryPoint)) need(path)
  }
  const page = readFileSync(join(built, "index.html"), "utf8")
  for (const [, address = ""] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) need(address)
  return needed
}

const bytesOf = (names: Iterable<string>): number =>
  [...names]
    .map((name) => gzipSync(readFileSync(join(built, "assets", name)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0)

/** How many scripts and styles a browser with an empty cache loads to show the page of this source file. */
export const firstFiles = (entry: string): number => neededFor([entry]).size

/** Bytes of all scripts and styles, as gzip sends them, that a browser with an empty cache loads to show the page of this source file. */
export const firstLoad = (entry: string): number => bytesOf(neededFor([entry]))

/** Bytes that a browser loads in addition when the page of one source file opens what another begins; 0 where it has them already. */
export const laterLoad = (page: string, entry: string): number => {
  const before = neededFor([page])
  return bytesOf([...neededFor([page, entry])].filter((name) => !before.has(name)))
}
