// The platform compiles the schemas of every endpoint before a server listens, and has no setting against it. This part of the build puts
// that off until an endpoint is first asked: it was a tenth of the processor time of a start, and what nobody asks takes no memory.
import { readFileSync } from "node:fs"

/** What compiles when a server starts, what takes its place, and how often it is there. */
const places = [
  ["= Schema.encodeUnknown(errorSchema)", "= __atFirstUse(() => Schema.encodeUnknown(makeErrorSchema(api)))", 2],
  ["const errorSchema = makeErrorSchema(api);", "", 2],
  ["(endpoint.pathSchema, Schema.decodeUnknown)", "(endpoint.pathSchema, __decodeAtFirstUse)", 1],
  ["(endpoint.payloadSchema, Schema.decodeUnknown)", "(endpoint.payloadSchema, __decodeAtFirstUse)", 1],
  ["(endpoint.headersSchema, Schema.decodeUnknown)", "(endpoint.headersSchema, __decodeAtFirstUse)", 1],
  [
    "= Schema.encode(makeSuccessSchema(endpoint.successSchema))",
    "= __atFirstUse(() => Schema.encode(makeSuccessSchema(endpoint.successSchema)))",
    1
  ]
]

const helpers = `
const __atFirstUse = (compile) => {
  let compiled
  return (value, options) => (compiled ??= compile())(value, options)
}
const __decodeAtFirstUse = (schema) => __atFirstUse(() => Schema.decodeUnknown(schema))
`

/** The source of the platform's builder of endpoints, with what it compiles put off; null where it is not the source that this knows. */
export const compilingAtFirstUse = (source) => {
  const isKnown = places.every(([text, , count]) => source.split(text).length === count + 1)
  return isKnown ? places.reduce((left, [text, instead]) => left.replaceAll(text, instead), source) + helpers : null
}

export const lazyEndpoints = {
  name: "lazy-endpoints",
  setup: (build) =>
    build.onLoad({ filter: /platform[\\/]dist[\\/]esm[\\/]HttpApiBuilder\.js$/ }, ({ path }) => {
      const contents = compilingAtFirstUse(readFileSync(path, "utf8"))
      return contents === null
        ? { errors: [{ text: `${path} compiles schemas in other places than src/lazyEndpoints.mjs knows` }] }
        : { contents, loader: "js" }
    })
}
