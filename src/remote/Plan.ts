import { Effect, Schema } from "effect"
import type { ExperimentRecord } from "../../schema/experiments/ExperimentRecord.ts"
import { Json } from "../../schema/Json.ts"
import { oneOf, optional } from "../../schema/Optional.ts"
import type { DocumentChange } from "../domain/configuration/Diff.ts"
import { diff } from "../domain/configuration/Diff.ts"
import { lockedPaths, touchedPaths } from "../domain/experiments/PathLock.ts"
import { connect, type Target } from "./Connection.ts"
import { checkFiles, demandFolder, expectFiles, type ObjectFile, readFiles } from "./Files.ts"
import { inventoryOf } from "./Inventory.ts"
import { ManagedKind, managedKinds } from "./ManagedKind.ts"
import { fieldsWithNames, Naming, referencesOf, surroundings } from "./Naming.ts"
import type { Existing } from "./Objects.ts"
import { refusal } from "./Refused.ts"

const path = Schema.Array(Schema.String)

const FieldChange = Schema.Union(
  Schema.Struct({ op: Schema.Literal("set"), path, value: Json, previous: optional(Json) }),
  Schema.Struct({ op: Schema.Literal("remove"), path, previous: Json })
)

export const PlannedChange = Schema.Struct({
  kind: ManagedKind,
  name: Schema.String,
  file: Schema.NullOr(Schema.String),
  action: oneOf("add", "change", "remove"),
  fields: Schema.Array(FieldChange),
  heldBy: Schema.Array(Schema.Struct({ experimentId: Schema.Int, experiment: Schema.String, path })),
  isApplied: Schema.Boolean
})
export type PlannedChange = typeof PlannedChange.Type

/** What `plan --json` prints. `isApplied` is false of what `apply` leaves alone: removals without --prune, and roles. */
export const PlanReport = Schema.Struct({
  project: Schema.String,
  environment: Schema.String,
  changes: Schema.Array(PlannedChange)
})
export type PlanReport = typeof PlanReport.Type

/** A change with what it is made of. */
export interface Step extends PlannedChange {
  readonly written: ObjectFile | undefined
  readonly existing: Existing | undefined
}

export interface Asked {
  readonly target: Target
  readonly folder: string
  readonly kinds: ReadonlyArray<ManagedKind>
  readonly prune: boolean
  /** Whether pruning may leave nothing of a kind that has no file. */
  readonly pruneAll: boolean
  readonly reason: string
}

/** The server's objects of the kinds that are asked for, and the names of all that can be read. */
export const readServer = Effect.fnUntraced(function* ({ target, kinds, reason }: Asked) {
  const connection = yield* connect(target)
  const { naming, experiments } = yield* surroundings(connection)
  const inventory = inventoryOf(connection, reason)
  const lists = yield* Effect.forEach(managedKinds, (kind) =>
    Effect.map(
      kinds.includes(kind) ? inventory[kind].list : Effect.orElseSucceed(inventory[kind].list, () => []),
      (all) => {
        if (kind !== "boards" && kind !== "roles") naming.add(kind, all)
        const keys = Naming.keysOf(all)
        return all.map((each, index) => ({ kind, key: keys[index] ?? each.name, existing: each }))
      }
    )
  )
  const objects = lists.flat().filter(({ kind }) => kinds.includes(kind))
  return { connection, naming, experiments, inventory, objects }
})

type Server = Effect.Effect.Success<ReturnType<typeof readServer>>

const locksOf = (experiments: ReadonlyArray<ExperimentRecord>) =>
  experiments
    .filter(({ status }) => status === "scheduled" || status === "active" || status === "paused")
    .map(({ id, baseConfigurationId, groups }) => ({
      experimentId: id,
      configurationId: baseConfigurationId,
      startsAt: 0,
      endsAt: null,
      paths: touchedPaths(
        groups.map(({ changeset }) => ({
          operations: changeset.operations.map((each) => ({ op: "delete" as const, path: each.path }))
        }))
      )
    }))

const held = (
  experiments: ReadonlyArray<ExperimentRecord>,
  id: string | number,
  changes: ReadonlyArray<DocumentChange>
) => {
  const own = experiments.find(({ baseConfigurationId }) => baseConfigurationId === id)
  if (own === undefined) return []
  const paths = changes.filter((each) => each.path[0] === "configuration").map((each) => each.path.slice(1))
  return lockedPaths(locksOf(experiments), own.baseConfigurationId, paths).map((conflict) => ({
    experimentId: conflict.experimentId,
    experiment: experiments.find((each) => each.id === conflict.experimentId)?.name ?? "",
    path: conflict.path
  }))
}

/** Those that others of the same kind refer to come first. A circle stays as it is: the server refuses it. */
const inOrder = (files: ReadonlyArray<ObjectFile>): ReadonlyArray<ObjectFile> => {
  const ordered = new Map<string, ObjectFile>()
  const byKey = new Map(files.map((file) => [`${file.kind} ${file.key}`, file]))
  const visit = (file: ObjectFile, way: ReadonlySet<ObjectFile>): void => {
    const key = `${file.kind} ${file.key}`
    if (ordered.has(key) || way.has(file)) return
    for (const { kind, name } of referencesOf(file.kind, file.fields)) {
      const other = byKey.get(`${kind} ${name}`)
      if (other?.kind === file.kind) visit(other, new Set([...way, file]))
    }
    ordered.set(key, file)
  }
  for (const kind of managedKinds) for (const file of files.filter((each) => each.kind === kind)) visit(file, new Set())
  return [...ordered.values()]
}

/** An environment loses its primary configuration, and a project its pinned board, only to another one, whose file says so. */
const isPassedOn = ({ op, path: [field] }: DocumentChange, file: ObjectFile, files: ReadonlyArray<ObjectFile>) =>
  op === "remove" &&
  (field === "isPrimary" ||
    (field === "pinned" && files.some((other) => other.kind === file.kind && other.fields["pinned"] === true)))

const stepsOf = (server: Server, files: ReadonlyArray<ObjectFile>, prune: boolean): ReadonlyArray<Step> => {
  const byKey = new Map(server.objects.map((each) => [`${each.kind} ${each.key}`, each.existing]))
  const written = inOrder(files).flatMap((file): ReadonlyArray<Step> => {
    const { kind, key } = file
    const existing = byKey.get(`${kind} ${key}`)
    const before = existing === undefined ? {} : fieldsWithNames(kind, existing.fields, server.naming)
    const fields = diff(before, file.fields).filter((each) => !isPassedOn(each, file, files))
    if (existing !== undefined && fields.length === 0) return []
    const heldBy =
      kind === "configurations" && existing !== undefined ? held(server.experiments, existing.id, fields) : []
    const action = existing === undefined ? "add" : "change"
    const isApplied = kind !== "roles"
    return [{ kind, name: key, file: file.file, action, fields, heldBy, isApplied, written: file, existing }]
  })
  const kept = new Set(files.map(({ kind, key }) => `${kind} ${key}`))
  const removed = server.objects
    .filter(({ kind, key }) => !kept.has(`${kind} ${key}`))
    .toReversed()
    .map(({ kind, key, existing }): Step => {
      const isApplied = prune && kind !== "roles"
      const action = "remove"
      return { kind, name: key, file: null, action, fields: [], heldBy: [], isApplied, written: undefined, existing }
    })
  return [...written, ...removed]
}

/** Refuses to remove all of a kind because the folder has no file of it: that is nearly always another folder than the one that was meant. */
const demandKept = (asked: Asked, files: ReadonlyArray<ObjectFile>, steps: ReadonlyArray<Step>) => {
  const emptied = asked.kinds.filter(
    (kind) =>
      !files.some((file) => file.kind === kind) &&
      steps.some((step) => step.kind === kind && step.action === "remove" && step.isApplied)
  )
  return asked.pruneAll || emptied.length === 0
    ? Effect.void
    : refusal(
        `${asked.folder} has no file of ${emptied.join(", ")}, so --prune would remove all that the server has of them: ` +
          "give --prune-all where that is meant, or name the other kinds with --only",
        "NO_FILES"
      )
}

/** Compares the files with the server. Changes nothing. */
export const plan = Effect.fnUntraced(function* (asked: Asked) {
  yield* demandFolder(asked.folder)
  const found = yield* readFiles(asked.folder, asked.kinds)
  const server = yield* readServer(asked)
  expectFiles(server.naming, found.files)
  const files = yield* checkFiles(found, server.naming)
  const steps = stepsOf(server, files, asked.prune)
  yield* demandKept(asked, files, steps)
  const { application, environment } = server.connection
  const changes = steps.map(({ written: _, existing: __, ...change }) => change)
  const report: PlanReport = { project: application.name, environment: environment.alias, changes }
  return { report, steps, server }
})
