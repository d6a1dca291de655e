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

const outputsOf = (): Readonly<Record<string, Output>> => {
  const { outputs }: { readonly outputs: Readonly<Record<string, Output>> } = JSON.parse(
    readFileSync(join(built, "metafile.json"), "utf8")
  )
  return outputs
}

const zipped = (name: string): number => gzipSync(readFileSync(join(built, "assets", name)), { level: 9 }).length

/** Bytes of the script that this source file becomes, as gzip sends it; what it shares with the page that loads it is there already. */
export const ownChunk = (entry: string): number => {
  const found = Object.entries(outputsOf()).find(([, { entryPoint }]) => entryPoint === entry)
  return found === undefined ? Number.NaN : zipped(basename(found[0]))
}

/** Bytes of all scripts and styles, as gzip sends them, that a browser with an empty cache loads to show the page of this source file. */
export const firstLoad = (entry: string): number => {
  const outputs = outputsOf()
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
    if (entryPoint === "src/web/main.tsx" || entryPoint === entry) need(path)
  }
  const page = readFileSync(join(built, "index.html"), "utf8")
  for (const [, address = ""] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) need(address)
  return [...needed].map(zipped).reduce((sum, bytes) => sum + bytes, 0)
}
