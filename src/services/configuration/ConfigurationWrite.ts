import { DateTime, Effect, Option } from "effect"
import {
  ConfigurationNameTaken,
  ConfigurationNotFound,
  PathLocked
} from "../../../schema/configuration/ConfigurationErrors.ts"
import { content, contentSteps } from "../../domain/configuration/Canonical.ts"
import { slug } from "../../domain/access/Alias.ts"
import type { Author, Configuration, NewConfiguration } from "../../domain/configuration/Configuration.ts"
import { diff } from "../../domain/configuration/Diff.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { isSameText } from "../../domain/configuration/Document.ts"
import { placesOf } from "../../domain/configuration/LinkedChanges.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import { lockedPath } from "../../domain/experiments/PathLock.ts"
import { ConfigurationId, type EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { inTurns } from "../InTurns.ts"
import { ArmCheck } from "./ArmCheck.ts"
import { Changes } from "./Changes.ts"
import { CheckedWrites } from "./CheckedWrites.ts"
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

export type ConfigurationDraft = Omit<Editable, "document"> &
  Pick<NewConfiguration, "applicationId" | "environmentId"> &
  Writing

/** A new configuration that may be written. */
export interface NewChecked extends Writing {
  readonly draft: Omit<NewConfiguration, "document">
  readonly documentOf: (id: ConfigurationId) => Document
  /** What `documentOf` gives where there is no id yet, and its hash. */
  readonly document: Document
  readonly hash: string
}

/** A next version that may be written; null where it would be the same. */
export interface NextChecked extends Writing {
  readonly present: Configuration
  readonly next: Configuration | null
}

/** Stands for the id of a configuration that has none yet: no configuration ever gets so far. */
const noId = ConfigurationId.make(Number.MAX_SAFE_INTEGER)

const editables: ReadonlyArray<keyof Editable> = [
  "name",
  "alias",
  "description",
  "document",
  "privacy",
  "schema",
  "keyDescriptions"
]

const isSame = (a: Configuration, b: Configuration): boolean => editables.every((name) => isSameText(a[name], b[name]))

const encoder = new TextEncoder()

export const notFound = (id: ConfigurationId) =>
  new ConfigurationNotFound({ message: `Configuration ${id} does not exist in this environment` })

/** The one way to write a configuration. Asks for no permission: its callers do. */
export class ConfigurationWrite extends Effect.Service<ConfigurationWrite>()(
  "services/configuration/ConfigurationWrite",
  {
    effect: Effect.gen(function* () {
      const arms = yield* ArmCheck
      const configurations = yield* ConfigurationRepo
      const changes = yield* Changes
      const { check, dependents } = yield* ConfigurationCheck
      const locks = yield* PathLocks
      const secrets = yield* Secrets
      const writes = yield* CheckedWrites

      const found = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ConfigurationId) {
        const present = yield* configurations.find(environmentId, id)
        if (Option.isSome(present)) return present.value
        return yield* Effect.fail(notFound(id))
      })

      /** Nobody else in the environment is called so. */
      const demandFree = Effect.fnUntraced(function* (
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
      const freeAlias = Effect.fnUntraced(function* (environmentId: EnvironmentId, name: string) {
        const alias = slug(name)
        if (alias === "") return null
        const other = yield* configurations.findByNameOrAlias(environmentId, alias)
        return Option.isNone(other) ? alias : null
      })

      const demandUnlocked = Effect.fnUntraced(function* (
        { id, environmentId, document }: Configuration,
        next: Document
      ) {
        const held = (yield* locks.of(environmentId)).filter(({ configurationId }) => configurationId === id)
        if (held.length === 0 || next === document) return
        yield* nextTurn
        const paths = placesOf(diff(document, next))
        yield* nextTurn
        const conflict = lockedPath(held, id, paths)
        if (conflict === null) return
        const { experimentId, path } = conflict
        const message = `Experiment ${experimentId} holds ${pathText("configuration", path)} until it ends: end it first`
        return yield* Effect.fail(new PathLocked({ message }))
      })

      const hashOf = (document: Document, privacy: Configuration["privacy"]) =>
        secrets.digest(encoder.encode(content(document, privacy)))

      const sound = Effect.fnUntraced(function* (next: Configuration) {
        yield* check(next)
        yield* nextTurn
        const text = yield* inTurns(() => contentSteps(next.document, next.privacy))
        const hash = secrets.digest(encoder.encode(text))
        yield* nextTurn
        return hash
      })

      const keep = Effect.fnUntraced(function* (next: Configuration, { reason, by }: Writing, at: DateTime.Utc) {
        yield* writes.note(next.environmentId)
        const written = yield* configurations.update({ ...next, updatedBy: by, updatedAt: at })
        const { id, version, hash, document, privacy } = written
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

      /** A new configuration whose names are free, whose document may refer to its own id: whether it may be written. */
      const checkNew = Effect.fnUntraced(function* (
        { reason, by, ...draft }: ConfigurationDraft,
        documentOf: (id: ConfigurationId) => Document
      ) {
        const now = yield* DateTime.now
        const unwritten = { isPrimary: false, hash: "", version: 1, createdAt: now, updatedAt: now, updatedBy: by }
        const document = documentOf(noId)
        const hash = yield* sound({ ...draft, ...unwritten, id: noId, document })
        return { draft: { ...draft, ...unwritten }, document, hash, documentOf, reason, by } satisfies NewChecked
      })

      /** Within a transaction: writes what was checked. In the same one, `announce` it. */
      const create = Effect.fnUntraced(function* ({ draft, documentOf, ...checked }: NewChecked) {
        const now = yield* DateTime.now
        const inserted = yield* configurations.insert({ ...draft, document: {}, createdAt: now, updatedAt: now })
        const document = documentOf(inserted.id)
        const isSameText = document === checked.document
        const hash = isSameText ? checked.hash : hashOf(document, draft.privacy)
        return yield* keep({ ...inserted, document, hash }, checked, now)
      })

      /**
       * Checks what would be the next version, whatever experiments hold of it; null where nothing changes. Names must be free.
       */
      const checkNext = Effect.fnUntraced(function* (present: Configuration, { reason, by, ...change }: Change) {
        const next = { ...present, ...change }
        if (isSame(present, next)) return { present, next: null, reason, by } satisfies NextChecked
        yield* nextTurn
        const hash = yield* sound(next)
        return { present, next: { ...next, hash, version: present.version + 1 }, reason, by } satisfies NextChecked
      })

      /** Within a transaction: writes what was checked. In the same one, `announce` it, unless nothing has changed. */
      const write = Effect.fnUntraced(function* ({ present, next, ...writing }: NextChecked) {
        if (next === null) return { written: present, isChanged: false }
        return { written: yield* keep(next, writing, yield* DateTime.now), isChanged: true }
      })

      /** Within the transaction of a write: those that link to it have changed too. */
      const announce = Effect.fnUntraced(function* (written: Configuration) {
        const ids = [written, ...(yield* dependents(written))].map(({ id }) => id)
        yield* changes.publish({ environmentId: written.environmentId, kind: "configuration", ids })
      })

      /** What a person changes, decided and checked on the present state, written and told; never what an experiment holds. */
      const edit = Effect.fnUntraced(function* <E, R>(
        environmentId: EnvironmentId,
        id: ConfigurationId,
        decide: (present: Configuration) => Effect.Effect<Change, E, R>
      ) {
        const checked = Effect.gen(function* () {
          const present = yield* found(environmentId, id)
          const change = yield* decide(present)
          yield* demandUnlocked(present, change.document ?? present.document)
          const following = yield* checkNext(present, change)
          if (following.next !== null) yield* arms.check(following.next)
          return following
        })
        const { written } = yield* writes.run(environmentId, checked, write, ({ written, isChanged }) =>
          isChanged ? announce(written) : Effect.void
        )
        return written
      })

      return { found, demandFree, freeAlias, checkNew, create, checkNext, write, announce, edit } as const
    })
  }
) {}
