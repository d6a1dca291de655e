import { FileSystem, HttpServerResponse, type HttpServerRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import { noneMatchNames } from "../../domain/EntityTag.ts"
import { cachedSuccess } from "../../services/CachedSuccess.ts"

/** What the build says of each file of the dashboard or the guide: paths are relative to its folder, compressed forms lie beside the file. */
const Manifest = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      path: Schema.String,
      type: Schema.String,
      digest: Schema.String,
      encodings: Schema.Array(Schema.Struct({ name: Schema.String, ending: Schema.String }))
    })
  )
)

export interface WebFile {
  readonly type: string
  readonly digest: string
  readonly content: Uint8Array
  /** By the name that `Accept-Encoding` gives it, the smallest first. */
  readonly encoded: ReadonlyArray<readonly [encoding: string, content: Uint8Array]>
}

/** The page calls its own server and nobody else, and no other page frames it. */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "cache-control": "no-cache"
}

/** Names of assets carry their digest, so that another content has another name. */
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }

const headersOf = (path: string) => (path.startsWith("/assets/") ? assetHeaders : pageHeaders)

/** Whether a field `Accept-Encoding` takes the encoding: named, and not with a weight of 0. */
const takes = (field: string, encoding: string): boolean =>
  field.split(",").some((each) => {
    const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

/** Answers with the file, compressed as the caller takes it, or says that the caller has it already. */
export const answer = (path: string, file: WebFile, { headers }: HttpServerRequest.HttpServerRequest) => {
  const accepted = file.encoded.find(([encoding]) => takes(headers["accept-encoding"] ?? "", encoding))
  const [encoding, content] = accepted ?? [null, file.content]
  const tag = encoding === null ? file.digest : `${file.digest}-${encoding}`
  const common = { ...headersOf(path), etag: `"${tag}"`, vary: "accept-encoding" }
  return noneMatchNames(headers["if-none-match"] ?? "", tag)
    ? HttpServerResponse.empty({ status: 304, headers: common })
    : HttpServerResponse.uint8Array(content, {
        contentType: file.type,
        headers: encoding === null ? common : { ...common, "content-encoding": encoding }
      })
}

type Files = ReadonlyMap<string, WebFile>

/** A built folder: the paths of its files, which begin with a slash, and the files by their paths, read when somebody asks and kept once they could be read. */
export interface Built {
  readonly paths: ReadonlySet<string>
  readonly files: Effect.Effect<Files>
}

/** Reads what the build says of the folder; there are no files where it was not built. */
export const builtIn = (folder: string) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const manifest = yield* Effect.flatMap(system.readFileString(`${folder}/files.json`), Schema.decode(Manifest)).pipe(
      Effect.orElseSucceed(() => [])
    )
    const all = Effect.forEach(
      manifest,
      ({ path, type, digest, encodings }) =>
        Effect.gen(function* () {
          const content = yield* system.readFile(`${folder}/${path}`)
          const encoded = yield* Effect.forEach(encodings, ({ name, ending }) =>
            Effect.map(system.readFile(`${folder}/${path}${ending}`), (bytes) => [name, bytes] as const)
          )
          return [`/${path}`, { type, digest, content, encoded }] as const
        }),
      { concurrency: 8 }
    )
    const files = yield* cachedSuccess(Effect.orDie(Effect.map(all, (read): Files => new Map(read))))
    const paths = new Set(manifest.map(({ path }) => `/${path}`))
    return { paths, files } satisfies Built
  })
