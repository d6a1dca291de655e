import { OpenApi } from "@effect/platform"
import { Api } from "./Api.ts"
import { isTree } from "./JsonTree.ts"
import { table } from "./MarkdownTable.ts"

interface Answered {
  readonly code: string
  readonly status: number
  readonly groups: Set<string>
}

const preface = `# Errors

\`npm run docs\` writes this page from the contract; a test fails while it is not current.

Every refused request answers \`{statusCode, code, error, message}\`; routes under \`/sdk\` add \`errorCode\`, the same as \`code\`.
A refused request changes nothing. Where several apply, the first of these answers: 401, 400, 403, 404, 409 or 422, 429.
\`/openapi.json\` lists the codes of each operation.
`

/** How a refusal is described; other answers than the envelope have words. */
const codes = /^[A-Z_]+(, [A-Z_]+)*$/

const byCode = (spec: OpenApi.OpenAPISpec): ReadonlyArray<Answered> => {
  const found = new Map<string, Answered>()
  for (const operation of Object.values(spec.paths).flatMap((item) => Object.values(item))) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (Number(status) < 400 || !codes.test(description)) continue
      for (const code of description.split(", ")) {
        const answered = found.get(code) ?? { code, status: Number(status), groups: new Set<string>() }
        for (const group of operation.tags) answered.groups.add(group)
        found.set(code, answered)
      }
    }
  }
  return [...found.values()].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
}

const classOf = (code: string): string =>
  code
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join("")

/** The page of all error codes in Markdown: the status of each, when it is answered, and by which groups of endpoints. */
export const errorsReference = (): string => {
  const spec = OpenApi.fromApi(Api)
  const groups = new Set(Object.values(spec.paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)))
  const whenOf = (code: string) => {
    const schema: unknown = spec.components.schemas[classOf(code)]
    const description = isTree(schema) ? schema["description"] : undefined
    return typeof description === "string" ? description : ""
  }
  const rows = byCode(spec).map(({ code, status, groups: answering }) => [
    `\`${code}\``,
    String(status),
    whenOf(code),
    answering.size === groups.size ? "all" : [...answering].join(", ")
  ])
  return [preface, table(["Code", "Status", "Answered when", "Groups of endpoints"], rows), ""].join("\n")
}
