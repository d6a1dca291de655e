import { Effect, Either, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type {
  CreateConfiguration,
  PatchConfiguration,
  ReplaceConfiguration
} from "../../../schema/configuration/ConfigurationRecord.ts"
import { ConfigurationInUse, ConfigurationInvalid } from "../../../schema/configuration/ConfigurationErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import type { Document, Json } from "../../domain/configuration/Document.ts"
import { equals } from "../../domain/configuration/Document.ts"
import { apply } from "../../domain/configuration/Patch.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import { distinct, sameSet } from "../../domain/configuration/Privacy.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Changes } from "./Changes.ts"
import { CheckedWrites } from "./CheckedWrites.ts"
import { writeEntry, writeRecord } from "./ConfigurationView.ts"
import type { ConfigurationDraft, NewChecked } from "./ConfigurationWrite.ts"
import { ConfigurationWrite, notFound } from "./ConfigurationWrite.ts"
import { demandHash } from "./DemandHash.ts"
import { PathLocks } from "./PathLocks.ts"
import { Policy } from "../access/Policy.ts"
import { Removals } from "../operations/Removals.ts"
import type { ApplicationWhere } from "../Where.ts"
import { writtenList } from "../WrittenList.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"

/** The present JSON where what was sent equals it, so that another order of keys is no change. */
const unlessSame = <A extends Json>(present: A, sent: A): A => (equals(present, sent) ? present : sent)

const privacyOf = (present: Configuration, sent: Configuration["privacy"]) =>
  sameSet(present.privacy, sent) ? present.privacy : distinct(sent)

const applied = (document: Document, changes: PatchConfiguration["changes"]) =>
  Either.match(apply(document, changes), {
    onLeft: ({ path }) =>
      Effect.fail(new ConfigurationInvalid({ message: `${pathText("configuration", path)}: expected an object` })),
    onRight: (changed) => Effect.as(nextTurn, changed)
  })

const patched = (document: Document, { changes }: PatchConfiguration) =>
  nextTurn.pipe(
    Effect.flatMap(() => applied(document, changes)),
    Effect.map((changed) => unlessSame(document, changed)),
    Effect.zipLeft(nextTurn)
  )

/** Remote configurations of an environment. */
export class Configurations extends Effect.Service<Configurations>()("services/configuration/Configurations", {
  effect: Effect.gen(function* () {
    const configurations = yield* ConfigurationRepo
    const changes = yield* Changes
    const locks = yield* PathLocks
    const policy = yield* Policy
    const removals = yield* Removals
    const transaction = yield* Transaction
    const writes = yield* CheckedWrites
    const writing = yield* ConfigurationWrite

    const open = (permission: "configurations:read" | "configurations:write", where: ApplicationWhere) =>
      Effect.map(
        policy.environment(permission, where.applicationId, where.environmentId),
        ({ environment }) => environment.id
      )

    /** As JSON, because the documents together may be large. */
    const list = Effect.fnUntraced(function* (
      where: ApplicationWhere,
      { include }: { readonly include?: "configuration" }
    ) {
      const environmentId = yield* open("configurations:read", where)
      return include === undefined
        ? yield* writtenList(writeEntry, yield* configurations.summaries(environmentId))
        : yield* writtenList(writeRecord, yield* configurations.listWritten(environmentId))
    })

    /** As JSON: whoever reads a document here only sends it. */
    const get = Effect.fnUntraced(function* (where: ApplicationWhere, id: ConfigurationId) {
      const environmentId = yield* open("configurations:read", where)
      return yield* Option.match(yield* configurations.findWritten(environmentId, id), {
        onNone: () => Effect.fail(notFound(id)),
        onSome: writeRecord
      })
    })

    const create = Effect.fnUntraced(function* (where: ApplicationWhere, request: CreateConfiguration) {
      const environmentId = yield* open("configurations:write", where)
      yield* nextTurn
      const { configuration, isPrimary, description = null, schema = null, ...rest } = request
      const by = userOf(yield* Principal)
      const scope = { applicationId: where.applicationId, environmentId }
      const draft: ConfigurationDraft = {
        ...scope,
        ...rest,
        alias: request.alias ?? null,
        description,
        schema,
        by,
        privacy: distinct(rest.privacy),
        reason: null
      }
      const checked = Effect.gen(function* () {
        yield* writing.demandFree(environmentId, [draft.name, draft.alias], null)
        const alias = request.alias === undefined ? yield* writing.freeAlias(environmentId, draft.name) : draft.alias
        return yield* writing.checkNew({ ...draft, alias }, () => configuration)
      })
      const write = Effect.fnUntraced(function* (sound: NewChecked) {
        const created = yield* writing.create(sound)
        if (!isPrimary) return created
        yield* configurations.makePrimary(environmentId, created.id)
        return { ...created, isPrimary }
      })
      const created = yield* writes.run(environmentId, checked, write, writing.announce)
      return created
    })

    const replace = Effect.fnUntraced(function* (
      where: ApplicationWhere,
      id: ConfigurationId,
      { baseHash, configuration, ...request }: ReplaceConfiguration
    ) {
      const environmentId = yield* open("configurations:write", where)
      const by = userOf(yield* Principal)
      const replaced = yield* writing.edit(environmentId, id, (present) => {
        const { name, alias = present.alias, description = null, schema = null, reason = null } = request
        const change = {
          name,
          alias,
          description,
          reason,
          by,
          document: unlessSame(present.document, configuration),
          privacy: privacyOf(present, request.privacy),
          schema: unlessSame(present.schema, schema),
          keyDescriptions: unlessSame(present.keyDescriptions, request.keyDescriptions)
        }
        return demandHash(present, baseHash).pipe(
          Effect.zipRight(writing.demandFree(environmentId, [name, alias], id)),
          Effect.as(change)
        )
      })
      return replaced
    })

    const patch = Effect.fnUntraced(function* (
      where: ApplicationWhere,
      id: ConfigurationId,
      request: PatchConfiguration
    ) {
      const environmentId = yield* open("configurations:write", where)
      const { name, alias, baseHash, reason = null } = request
      const by = userOf(yield* Principal)
      const decide = Effect.fnUntraced(function* (present: Configuration) {
        yield* demandHash(present, baseHash)
        yield* writing.demandFree(environmentId, [name, alias], id)
        const { description, privacy, schema, keyDescriptions } = request
        return {
          reason,
          by,
          name: name ?? present.name,
          alias: alias === undefined ? present.alias : alias,
          description: description === undefined ? present.description : description,
          document: yield* patched(present.document, request),
          privacy: privacyOf(present, privacy ?? present.privacy),
          schema: schema === undefined ? present.schema : unlessSame(present.schema, schema),
          keyDescriptions: unlessSame(present.keyDescriptions, keyDescriptions ?? present.keyDescriptions)
        }
      })
      return yield* writing.edit(environmentId, id, decide)
    })

    const demandUnused = Effect.fnUntraced(function* ({ id, environmentId }: Configuration) {
      const linked = (yield* configurations.linkedTo(environmentId, id)).filter((each) => each.id !== id)
      const held = (yield* locks.of(environmentId)).filter(({ configurationId }) => configurationId === id)
      const uses = [
        ...linked.map((each) => `configuration ${each.id} (${each.name}) links to it`),
        ...[...new Set(held.map(({ experimentId }) => experimentId))].map((each) => `experiment ${each} is based on it`)
      ]
      if (uses.length === 0) return
      return yield* Effect.fail(
        new ConfigurationInUse({ message: `Configuration ${id} cannot be deleted: ${uses.join(", ")}` })
      )
    })

    const remove = Effect.fnUntraced(function* (where: ApplicationWhere, id: ConfigurationId) {
      const environmentId = yield* open("configurations:write", where)
      const step = Effect.gen(function* () {
        yield* demandUnused(yield* writing.found(environmentId, id))
        yield* configurations.remove(id)
        yield* writes.note(environmentId)
        yield* changes.publish({ environmentId, kind: "configuration", ids: [id] })
      })
      yield* transaction.runRemoval(step).pipe(Effect.zipRight(removals.notice), Effect.uninterruptible)
    })

    /** No new version: the document is the same. */
    const makePrimary = Effect.fnUntraced(function* (where: ApplicationWhere, id: ConfigurationId) {
      const environmentId = yield* open("configurations:write", where)
      const step = Effect.gen(function* () {
        const present = yield* writing.found(environmentId, id)
        yield* configurations.makePrimary(environmentId, id)
        yield* writes.note(environmentId)
        return { ...present, isPrimary: true }
      })
      return yield* transaction.run(Effect.tap(step, writing.announce)).pipe(Effect.uninterruptible)
    })

    return { list, get, create, replace, patch, remove, makePrimary } as const
  })
}) {}
