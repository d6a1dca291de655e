import { Effect, Either, Option, Schema } from "effect"
import type { Document } from "../domain/configuration/Document.ts"
import { targets } from "../domain/configuration/Link.ts"
import type { LinkSource } from "../domain/configuration/Links.ts"
import { pathText } from "../domain/configuration/PathText.ts"
import { excessOf, maxDocumentBytes, maxLevels, maxSchemaBytes } from "../domain/configuration/Size.ts"
import { excessFlaw, type Flaw, linkFlaw, resolvedFlaw } from "../domain/configuration/Soundness.ts"
import { prepare } from "../domain/game/Resolution.ts"
import { ConfigurationId } from "../domain/Ids.ts"
import type { FileProblem } from "./Files.ts"
import { fileSchemas } from "./FileSchemas.ts"
import { fieldsWithIds } from "./Naming.ts"
import type { Server } from "./ServerState.ts"
import { isHolding, type PlannedStep } from "./Steps.ts"
import { SchemaChecks } from "./SchemaChecks.ts"

/** A configuration as it is while the steps are done. */
interface Known extends LinkSource {
  readonly id: ConfigurationId
  readonly name: string
  readonly alias: string | null
  readonly schema: Document | null
}

type State = ReadonlyMap<ConfigurationId, Known>

const decode = Schema.decodeUnknownOption(fileSchemas.configurations)
const isId = Schema.is(ConfigurationId)

const knownOf = (id: string | number | undefined, fields: Document): Option.Option<Known> =>
  isId(id)
    ? Option.map(decode(fields), ({ name, alias = null, configuration, privacy, schema = null }) => ({
        id,
        name,
        alias,
        document: configuration,
        privacy,
        schema
      }))
    : Option.none()

const own = "configuration"

const textOf = ({ path, message }: Pick<Flaw, "path" | "message">, root = own) => `${pathText(root, path)}: ${message}`

const tooLarge = ({ document, schema }: Known): ReadonlyArray<string> => {
  const excess = (value: Document, bytes: number) => excessFlaw(excessOf(value, { bytes, levels: maxLevels }), bytes)
  const ofDocument = excess(document, maxDocumentBytes)
  const ofSchema = schema === null ? null : excess(schema, maxSchemaBytes)
  return [
    ...(ofDocument === null ? [] : [textOf(ofDocument)]),
    ...(ofSchema === null ? [] : [textOf(ofSchema, "schema")])
  ]
}

/** What is wrong with it among the others. Where some are not known, a link that leads nowhere says nothing. */
const problemsOf = Effect.fnUntraced(function* (next: Known, state: State, isComplete: boolean) {
  const large = tooLarge(next)
  if (large.length > 0) return large
  const prepared = prepare(next, (id) => state.get(id), "server")
  if (Either.isLeft(prepared))
    return prepared.left.reason === "Dangling" && !isComplete ? [] : [textOf(linkFlaw(prepared.left))]
  const { document } = prepared.right
  const resolved = resolvedFlaw(next.document, document)
  if (resolved !== null) return [textOf(resolved)]
  if (next.schema === null) return []
  const { violations } = yield* SchemaChecks
  return yield* Effect.match(violations(next.schema, document), {
    onFailure: ({ message }) => [`schema: ${message}`],
    onSuccess: ({ total, first }) => [
      ...first.map((violation) => textOf(violation)),
      ...(total > first.length ? [`and ${total - first.length} more`] : [])
    ]
  })
})

/** Those whose documents hold it, directly or through others. */
const dependentsOf = (id: ConfigurationId, state: State): ReadonlyArray<Known> => {
  const found = new Map<ConfigurationId, Known>()
  const waiting = [id]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const each of linkedTo(at, state)) {
      if (each.id === id || found.has(each.id)) continue
      found.set(each.id, each)
      waiting.push(each.id)
    }
  }
  return [...found.values()]
}

const linkedTo = (id: ConfigurationId, state: State): ReadonlyArray<Known> =>
  [...state.values()].filter((each) => each.id !== id && targets(each.document).includes(id))

const taken = (next: Known, state: State): ReadonlyArray<string> =>
  [next.name, next.alias].flatMap((called) => {
    const other = [...state.values()].find(
      ({ id, name, alias }) => id !== next.id && (name === called || alias === called)
    )
    return called === null || other === undefined ? [] : [`${other.name} answers to ${called} already`]
  })

const held = ({ experiments }: Server, id: ConfigurationId): ReadonlyArray<string> =>
  experiments
    .filter(({ baseConfigurationId, status }) => baseConfigurationId === id && isHolding(status))
    .map(({ name }) => `the experiment ${name} is based on it`)

/** What the server would refuse of configurations, one step after the other, since each is checked among those that are there then. */
export const foreseenConfigurations = Effect.fnUntraced(function* (
  server: Server,
  steps: ReadonlyArray<PlannedStep>,
  isComplete: boolean
) {
  const state = new Map<ConfigurationId, Known>()
  for (const { kind, existing } of server.objects) {
    if (kind !== "configurations") continue
    Option.map(knownOf(existing.id, existing.fields), (known) => state.set(known.id, known))
  }
  const problems: Array<FileProblem> = []
  const refused = new Set<ConfigurationId>()

  const write = Effect.fnUntraced(function* (next: Known, file: string) {
    state.set(next.id, next)
    const found = [...taken(next, state), ...(yield* problemsOf(next, state, isComplete))]
    problems.push(...found.map((message) => ({ file, message })))
    if (found.length > 0) {
      refused.add(next.id)
      return
    }
    for (const above of dependentsOf(next.id, state)) {
      if (refused.has(above.id)) continue
      const broken = yield* problemsOf(above, state, isComplete)
      problems.push(...broken.map((message) => ({ file, message: `${above.name} links to it: ${message}` })))
      if (broken.length > 0) refused.add(above.id)
    }
  })

  const remove = (id: ConfigurationId, name: string) => {
    const uses = [...linkedTo(id, state).map((each) => `${each.name} links to it`), ...held(server, id)]
    state.delete(id)
    if (isComplete && uses.length > 0)
      problems.push({ file: `configurations/${name}`, message: `it cannot be removed: ${uses.join(", ")}` })
  }

  for (const { kind, name, written, existing, isApplied } of steps) {
    if (kind !== "configurations" || !isApplied) continue
    const id = existing?.id ?? server.naming.idOf(kind, name)
    if (written === undefined) {
      if (isId(id)) remove(id, name)
      continue
    }
    const next = knownOf(id, fieldsWithIds(kind, written.fields, server.naming))
    if (Option.isSome(next)) yield* write(next.value, written.file)
  }
  return problems
})
