// What the builders of pages share: whether anything has changed since the last time, and the list of files that the server reads.
import { createHash } from "node:crypto"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { root } from "./build.mjs"

/** Compressed forms of files smaller than this are not worth a header. */
const leastCompressed = 1024

/** The size and time of a file of the repository that something was built of. */
export const stateOf = (input) => {
  const { size, mtimeMs } = statSync(join(root, input), { throwIfNoEntry: false }) ?? {}
  return [input, size ?? 0, mtimeMs ?? 0]
}

/** Whether the folder holds what was built of exactly these inputs. */
export const isCurrent = (stamp) => {
  try {
    const known = JSON.parse(readFileSync(stamp, "utf8"))
    return JSON.stringify(known) === JSON.stringify(known.map(([input]) => stateOf(input)))
  } catch {
    return false
  }
}

const types = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  woff2: "font/woff2"
}

const compressed = {
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content) => gzipSync(content, { level: 9 })
}

const endings = { br: ".br", gzip: ".gz" }

/** Writes the compressed forms of a file, and says what the server has to know of it. */
export const describe = (folder, path) => {
  const file = join(folder, path)
  const content = readFileSync(file)
  const type = types[path.slice(path.lastIndexOf(".") + 1)]
  const isText = !path.endsWith(".woff2") && content.length >= leastCompressed
  const encodings = isText ? Object.keys(compressed) : []
  for (const encoding of encodings) writeFileSync(file + endings[encoding], compressed[encoding](content))
  const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22)
  return { path, type, digest, encodings: encodings.map((name) => ({ name, ending: endings[name] })) }
}
