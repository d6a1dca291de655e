import { DateTime, Effect, Option } from "effect"
import {
  ConfigurationNameTaken,
  ConfigurationNotFound,
  PathLocked
} from "../../../schema/configuration/ConfigurationErrors.ts"
import { content } from "../../domain/configuration/Canonical.ts"
import { slug } from "../../domain/access/Alias.ts"
import type { Author, Configuration, NewConfiguration } from "../../domain/configuration/Configuration.ts"
import { diff } from "../../domain/configuration/Diff.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import { lockedPath } from "../../domain/experiments/PathLock.ts"
import type { ConfigurationId, EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Changes } from "./Changes.ts"
import { ConfigurationCheck } from "./ConfigurationCheck.ts"
import { PathLocks } from "./PathLocks.ts"

type Editable = Pick<
  Configuration,
  "name" | "alias" | "description" | "document" | "privacy" | "schema" | "keyDescriptions"
>

export interface Writing {
  readonly reason: string | null
  readonly by: Author
}

/** What is left out stays as it is. */
export type Change = Partial<Editable> & Writing

export type Draft = Omit<Editable, "document"> & Pick<NewConfiguration, "applicationId" | "environmentId"> & Writing

const editableOf = (of: Configuration): Editable => ({
  name: of.name,
  alias: of.alias,
  description: of.description,
  document: of.document,
  privacy: of.privacy,
  schema: of.schema,
  keyDescriptions: of.keyDescriptions
})

const isSame = (a: Configuration, b: Configuration): boolean =>
  JSON.stringify(editableOf(a)) === JSON.stringify(editableOf(b))

const encoder = new TextEncoder()

/** The one way to write a configuration. Asks for no permission: its callers do. */
export class ConfigurationWrite extends Effect.Service<ConfigurationWrite>()(
  "services/configuration/ConfigurationWrite",
  {
    effect: Effect.gen(function* () {
      const configurations = yield* ConfigurationRepo
      const changes = yield* Changes
      const { check, dependents } = yield* ConfigurationCheck
      const locks = yield* PathLocks
      const secrets = yield* Secrets
      const transaction = yield* Transaction

      const found = Effect.fn("ConfigurationWrite.found")(function* (
        environmentId: EnvironmentId,
        id: ConfigurationId
      ) {
        const present = yield* configurations.find(environmentId, id)
        if (Option.isSome(present)) return present.value
        return yield* Effect.fail(
          new ConfigurationNotFound({ message: `Configuration ${id} does not exist in this environment` })
        )
      })

      /** Nobody else in the environment is called so. */
      const demandFree = Effect.fn("ConfigurationWrite.demandFree")(function* (
        environmentId: EnvironmentId,
        names: ReadonlyArray<string | null | undefined>,
        self: ConfigurationId | null
      ) {
        for (const name of names) {
          if (name === null || name === undefined) continue
          const other = yield* configurations.findByNameOrAlias(environmentId, name)
          if (Option.isNone(other) || other.value.id === self) continue
          return yield* Effect.fail(
            new ConfigurationNameTaken({
              message: `Configuration ${other.value.id} of this environment already answers to ${name}`
            })
          )
        }
      })

      /** The alias of a configuration that was given none, since clients ask by alias: its name as a slug, where nobody answers to that. */
      const freeAlias = Effect.fn("ConfigurationWrite.freeAlias")(function* (
        environmentId: EnvironmentId,
        name: string
      ) {
        const alias = slug(name)
        if (alias === "") return null
        const other = yield* configurations.findByNameOrAlias(environmentId, alias)
        return Option.isNone(other) ? alias : null
      })

      const demandUnlocked = Effect.fnUntraced(function* (
        { id, environmentId, document }: Configuration,
        next: Document
      ) {
        yield* nextTurn
        const paths = diff(document, next).map(({ path }) => path)
        yield* nextTurn
        const conflict = lockedPath(yield* locks.of(environmentId), id, paths)
        if (conflict === null) return
        const message = `Experiment ${conflict.experimentId} holds ${pathText("configuration", conflict.path)}`
        return yield* Effect.fail(new PathLocked({ message }))
      })

      const keep = Effect.fnUntraced(function* (next: Configuration, { reason, by }: Writing, at: DateTime.Utc) {
        yield* check(next)
        yield* nextTurn
        const hash = secrets.digest(encoder.encode(content(next.document, next.privacy)))
        yield* nextTurn
        const written = yield* configurations.update({ ...next, hash, updatedBy: by, updatedAt: at })
        const { id, version, document, privacy } = written
        yield* nextTurn
        yield* configurations.insertVersion({
          configurationId: id,
          version,
          hash,
          document,
          privacy,
          reason,
          createdAt: at,
          createdBy: by
        })
        return written
      })

      /** Within a transaction, after `demandFree`: a new configuration, whose document may refer to its own id. */
      const create = Effect.fn("ConfigurationWrite.create")(function* (
        { reason, by, ...draft }: Draft,
        documentOf: (id: ConfigurationId) => Document
      ) {
        const now = yield* DateTime.now
        const unwritten = { document: {}, isPrimary: false, hash: "", version: 1 }
        const inserted = yield* configurations.insert({
          ...draft,
          ...unwritten,
          createdAt: now,
          updatedAt: now,
          updatedBy: by
        })
        return yield* keep({ ...inserted, document: documentOf(inserted.id) }, { reason, by }, now)
      })

      /**
       * Within a transaction: checks and writes the next version, whatever experiments hold of it; the very same configuration where
       * nothing changes. Names must be free. After the commit, `announce` it.
       */
      const write = Effect.fn("ConfigurationWrite.write")(function* (
        present: Configuration,
        { reason, by, ...change }: Change
      ) {
        const next = { ...present, ...change }
        if (isSame(present, next)) return present
        yield* nextTurn
        return yield* keep({ ...next, version: present.version + 1 }, { reason, by }, yield* DateTime.now)
      })

      /** Once a write is committed, before it is acknowledged: those that link to it have changed too. */
      const announce = Effect.fn("ConfigurationWrite.announce")(function* (written: Configuration) {
        const ids = [written, ...(yield* dependents(written))].map(({ id }) => id)
        yield* changes.publish({ environmentId: written.environmentId, kind: "configuration", ids })
        yield* nextTurn
      })

      /** What a person changes, decided on the present state, in one step, and told; never what an experiment holds. */
      const edit = Effect.fn("ConfigurationWrite.edit")(function* <E, R>(
        environmentId: EnvironmentId,
        id: ConfigurationId,
        decide: (present: Configuration) => Effect.Effect<Change, E, R>
      ) {
        const step = Effect.gen(function* () {
          const present = yield* found(environmentId, id)
          const change = yield* decide(present)
          yield* demandUnlocked(present, change.document ?? present.document)
          const written = yield* write(present, change)
          return { written, isChanged: written !== present }
        })
        const { written } = yield* transaction.run(step).pipe(
          Effect.tap(({ written, isChanged }) => (isChanged ? announce(written) : Effect.void)),
          Effect.uninterruptible
        )
        return written
      })

      return { found, demandFree, freeAlias, create, write, announce, edit } as const
    })
  }
) {}
