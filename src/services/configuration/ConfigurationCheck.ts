import { Data, Effect, Either, Option } from "effect"
import { ConfigurationInvalid, LinkInvalid } from "../../../schema/configuration/ConfigurationErrors.ts"
import { apply, type Changeset } from "../../domain/configuration/Changeset.ts"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import type { Document, Path } from "../../domain/configuration/Document.ts"
import { documentText, documentTextSteps } from "../../domain/configuration/DocumentText.ts"
import { linkSteps } from "../../domain/configuration/Link.ts"
import type { LinkFailure } from "../../domain/configuration/Links.ts"
import { resolve } from "../../domain/configuration/Links.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import {
  besideBytes,
  excessOf,
  excessOfTextSteps,
  fixedBytes,
  jsonBytes,
  maxDocumentBytes,
  maxEnvironmentBytes,
  maxLevels,
  maxResolvedBytes,
  maxSchemaBytes,
  utf8Bytes
} from "../../domain/configuration/Size.ts"
import { excessFlaw, fieldFlaw, type Flaw, linkFlaw, resolvedFlaw } from "../../domain/configuration/Soundness.ts"
import { prepare } from "../../domain/game/Resolution.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import type { SchemaViolations } from "../../ports/configuration/JsonSchemas.ts"
import { JsonSchemas } from "../../ports/configuration/JsonSchemas.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { inTurns } from "../InTurns.ts"
import { environmentRoom } from "./EnvironmentRoom.ts"

/** Places in the value that `root` names, and what is wrong there. */
interface Wrong {
  readonly root: string
  readonly violations: SchemaViolations
}

/** A document breaks its schema or a limit. */
class Unsound extends Data.TaggedError("Unsound")<Wrong> {}

class LinkBroken extends Data.TaggedError("LinkBroken")<Wrong> {}

const wrong = (root: string, path: Path, message: string): Wrong => ({
  root,
  violations: { total: 1, first: [{ path, message }] }
})

const unsound = (root: string, path: Path, message: string) => Effect.fail(new Unsound(wrong(root, path, message)))

const demandFlawless = (flaw: Flaw | null, root: string) =>
  flaw === null ? Effect.void : unsound(root, flaw.path, flaw.message)

const refuseLink = (failure: LinkFailure, root: string) => {
  const { isLink, path, message } = linkFlaw(failure)
  return isLink ? Effect.fail(new LinkBroken(wrong(root, path, message))) : unsound(root, path, message)
}

/** How refusals name the document itself. */
const own = "configuration"

const full = `expected at most ${maxEnvironmentBytes} bytes of all configurations of the environment together, their links resolved`

const demandNone = (excess: ReturnType<typeof excessOf>, bytes: number, root: string, of = "") =>
  demandFlawless(excessFlaw(excess, bytes, of), root)

const demandWithin = (value: Document, bytes: number, root: string, of = "") =>
  demandNone(excessOf(value, { bytes, levels: maxLevels }), bytes, root, of)

/** The document's text is what will be stored. */
const demandSmall = Effect.fnUntraced(function* ({ document, schema }: Pick<Configuration, "document" | "schema">) {
  const text = yield* inTurns(() => documentTextSteps(document))
  const excess = yield* inTurns(() => excessOfTextSteps(text, { bytes: maxDocumentBytes, levels: maxLevels }))
  yield* demandNone(excess, maxDocumentBytes, own)
  yield* demandFlawless(fieldFlaw(document, text), own)
  if (schema !== null) yield* demandWithin(schema, maxSchemaBytes, "schema")
})

const sentence = ({ root, violations: { total, first } }: Wrong): string => {
  const shown = first.map(({ path, message }) => `${pathText(root, path)}: ${message}`)
  return [...shown, ...(total > shown.length ? [`and ${total - shown.length} more`] : [])].join("; ")
}

const refuse = (found: Unsound) => Effect.fail(new ConfigurationInvalid({ message: sentence(found) }))

const nothing: SchemaViolations = { total: 0, first: [] }

/** As places in the document; what is wrong elsewhere concerns it as a whole. */
const ofDocument = ({ root, violations }: Wrong): SchemaViolations =>
  root === own
    ? violations
    : {
        total: violations.total,
        first: violations.first.map(({ path, message }) => ({
          path: [],
          message: `${pathText(root, path)}: ${message}`
        }))
      }

/** A group of an experiment. */
export interface Arm {
  readonly name: string
  readonly changeset: Changeset
}

/** Decides whether a configuration may be written as it is, by itself and for those that link to it. */
export class ConfigurationCheck extends Effect.Service<ConfigurationCheck>()(
  "services/configuration/ConfigurationCheck",
  {
    effect: Effect.gen(function* () {
      const configurations = yield* ConfigurationRepo
      const schemas = yield* JsonSchemas

      /** Those whose documents hold it, directly or through others. */
      const dependents = Effect.fnUntraced(function* (of: Configuration) {
        const found = new Map<ConfigurationId, Configuration>()
        const waiting = [of.id]
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          for (const each of yield* configurations.linkedTo(of.environmentId, id)) {
            if (each.id === of.id || found.has(each.id)) continue
            found.set(each.id, each)
            waiting.push(each.id)
          }
        }
        return [...found.values()]
      })

      /** These configurations, and all that they link to. */
      const gather = Effect.fnUntraced(function* (these: ReadonlyArray<Configuration>) {
        const known = new Map(these.map((each) => [each.id, each]))
        const waiting = [...these]
        for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
          yield* nextTurn
          const { targets } = yield* inTurns(() => linkSteps(each.document))
          for (const id of targets) {
            if (known.has(id)) continue
            const found = yield* configurations.find(each.environmentId, id)
            if (Option.isNone(found)) continue
            known.set(id, found.value)
            waiting.push(found.value)
          }
        }
        return known
      })

      const hasRoom = yield* environmentRoom(gather)

      const demandSchema = Effect.fnUntraced(function* (schema: Document, document: Document, root: string) {
        const violations = yield* Effect.catchTag(
          schemas.violations(schema, document),
          "SchemaUnusable",
          ({ message }) => unsound("schema", [], message)
        )
        if (violations.total > 0) return yield* new Unsound({ root, violations })
      })

      /** The bytes that it counts for in its environment. */
      const demandSound = Effect.fnUntraced(function* (
        configuration: Configuration,
        known: ReadonlyMap<ConfigurationId, Configuration>,
        root: string
      ) {
        const { document, privacy, schema } = configuration
        const prepared = prepare({ document, privacy }, (id) => known.get(id), "server")
        if (Either.isLeft(prepared)) return yield* refuseLink(prepared.left, root)
        const resolved = prepared.right.document
        yield* nextTurn
        // A document without links was measured before.
        yield* demandFlawless(resolvedFlaw(document, resolved), root)
        if (schema !== null) yield* demandSchema(schema, resolved, root)
        yield* nextTurn
        return (
          fixedBytes +
          besideBytes(configuration) +
          (resolved === document ? utf8Bytes(documentText(document)) : jsonBytes(resolved))
        )
      })

      const inspect = Effect.fnUntraced(function* (next: Configuration) {
        yield* nextTurn
        yield* demandSmall(next)
        yield* nextTurn
        yield* inTurns(() => linkSteps(next.document))
        const above = yield* dependents(next)
        const known = yield* gather([next, ...above])
        yield* nextTurn
        let bytes = yield* demandSound(next, known, own)
        for (const each of above) bytes += yield* demandSound(each, known, `configuration ${each.id} (${each.name})`)
        if (!(yield* hasRoom(next, above, bytes))) return yield* unsound(own, [], full)
      })

      /** Size, links, and its schema over the resolved document. */
      const check = (next: Configuration) =>
        Effect.catchTags(inspect(next), {
          Unsound: refuse,
          LinkBroken: (found) => Effect.fail(new LinkInvalid({ message: sentence(found) }))
        })

      /** What `check` would refuse, by the path in the document. */
      const problems = (next: Configuration) =>
        inspect(next).pipe(
          Effect.as(nothing),
          Effect.catchAll((found) => Effect.succeed(ofDocument(found)))
        )

      /** The document with its links resolved, as the server sees it, beside another one that is not written yet; as it is where they cannot be. */
      const resolved = Effect.fnUntraced(function* (
        configuration: Configuration,
        beside: Configuration = configuration
      ) {
        const known = yield* gather([configuration, beside])
        return Either.getOrElse(
          resolve(configuration.document, (id) => known.get(id), "server"),
          () => configuration.document
        )
      })

      /** What checks that its schema holds, and its limits, for what a group makes of it. Its links are resolved once for all groups. */
      const armCheck = Effect.fnUntraced(function* (configuration: Configuration, beside = configuration) {
        const document = yield* resolved(configuration, beside)
        const inspect = Effect.fnUntraced(function* ({ name, changeset }: Arm) {
          const changed = apply(document, changeset)
          yield* nextTurn
          yield* demandWithin(changed, maxResolvedBytes, `group ${name}`, " of configuration")
          if (configuration.schema !== null) yield* demandSchema(configuration.schema, changed, `group ${name}`)
        })
        return (arm: Arm) => Effect.catchTag(inspect(arm), "Unsound", refuse)
      })

      return { armCheck, check, dependents, problems, resolved } as const
    })
  }
) {}
