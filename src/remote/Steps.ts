import { Schema } from "effect"
import type { ExperimentRecord } from "../../schema/experiments/ExperimentRecord.ts"
import { Json } from "../../schema/Json.ts"
import { oneOf, optional } from "../../schema/Optional.ts"
import type { DocumentChange } from "../domain/configuration/Diff.ts"
import { diff } from "../domain/configuration/Diff.ts"
import { placesOf } from "../domain/configuration/LinkedChanges.ts"
import { lockedPaths, touchedPaths } from "../domain/experiments/PathLock.ts"
import type { ObjectFile } from "./Files.ts"
import { ManagedKind } from "./ManagedKind.ts"
import { fieldsWithNames } from "./Naming.ts"
import type { Existing } from "./Objects.ts"
import { type Release, releasesOf } from "./Releases.ts"
import type { Server } from "./ServerState.ts"
import { inOrder } from "./StepOrder.ts"

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

/** A change with what it is made of. */
export interface PlannedStep extends PlannedChange {
  readonly written: ObjectFile | undefined
  readonly existing: Existing | undefined
}

/** Whether an experiment in this status holds paths of its configuration. */
export const isHolding = (status: ExperimentRecord["status"]): boolean =>
  status === "scheduled" || status === "active" || status === "paused"

const locksOf = (experiments: ReadonlyArray<ExperimentRecord>) =>
  experiments
    .filter(({ status }) => isHolding(status))
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
  const ofDocument = changes.flatMap(({ path: [field, ...path] }) => (field === "configuration" ? [{ path }] : []))
  return lockedPaths(locksOf(experiments), own.baseConfigurationId, placesOf(ofDocument)).map((conflict) => ({
    experimentId: conflict.experimentId,
    experiment: experiments.find((each) => each.id === conflict.experimentId)?.name ?? "",
    path: conflict.path
  }))
}

/** An environment loses its primary configuration, and a project its pinned board, only to another one, whose file says so. */
const isPassedOn = ({ op, path: [field] }: DocumentChange, file: ObjectFile, files: ReadonlyArray<ObjectFile>) =>
  op === "remove" &&
  (field === "isPrimary" ||
    (field === "pinned" && files.some((other) => other.kind === file.kind && other.fields["pinned"] === true)))

/** An object of the server as its file would be. */
const fileOf =
  ({ naming }: Server) =>
  ({ kind, key, existing }: Server["objects"][number]): ObjectFile => ({
    kind,
    key,
    id: null,
    file: `${kind}/${key}`,
    fields: fieldsWithNames(kind, existing.fields, naming)
  })

/** Gives up what others are called before its own turn comes. */
const releaseStep = (server: Server, { key, existing, file, fields }: Release): PlannedStep => {
  const kind = "configurations"
  const [before, after] = [existing.fields, fields].map((each) => fieldsWithNames(kind, each, server.naming))
  return {
    kind,
    name: key,
    file: file?.file ?? null,
    action: "change",
    fields: diff(before ?? {}, after ?? {}),
    heldBy: [],
    isApplied: true,
    written: { kind, id: file?.id ?? null, key, file: file?.file ?? `${kind}/${key}`, fields: after ?? {} },
    existing
  }
}

/** What has to be done so that the server is what the files say, in the order in which it can be. */
export const stepsOf = (
  server: Server,
  files: ReadonlyArray<ObjectFile>,
  prune: boolean
): ReadonlyArray<PlannedStep> => {
  const byKey = new Map(server.objects.map((each) => [`${each.kind} ${each.key}`, each.existing]))
  const existingOf = ({ kind, key }: ObjectFile) => byKey.get(`${kind} ${key}`)
  const ordered = inOrder(server, files, existingOf)
  const releases = releasesOf(server, ordered, prune)
  const released = new Map(releases.map(({ existing, fields }) => [existing, fields]))
  const written = ordered.flatMap((file): ReadonlyArray<PlannedStep> => {
    const { kind, key } = file
    const existing = existingOf(file)
    const present = existing === undefined ? {} : (released.get(existing) ?? existing.fields)
    const before = fieldsWithNames(kind, present, server.naming)
    const fields = diff(before, file.fields).filter((each) => !isPassedOn(each, file, files))
    if (existing !== undefined && fields.length === 0) return []
    const heldBy =
      kind === "configurations" && existing !== undefined ? held(server.experiments, existing.id, fields) : []
    const action = existing === undefined ? "add" : "change"
    const isApplied = kind !== "roles"
    return [{ kind, name: key, file: file.file, action, fields, heldBy, isApplied, written: file, existing }]
  })
  const kept = new Set(files.map(({ kind, key }) => `${kind} ${key}`))
  const gone = server.objects.filter(({ kind, key }) => !kept.has(`${kind} ${key}`))
  const removed = inOrder(server, gone.map(fileOf(server)), () => undefined)
    .toReversed()
    .map((file): PlannedStep => {
      const { kind, key } = file
      const isApplied = prune && kind !== "roles"
      const existing = existingOf(file)
      const action = "remove"
      return { kind, name: key, file: null, action, fields: [], heldBy: [], isApplied, written: undefined, existing }
    })
  return [...releases.map((each) => releaseStep(server, each)), ...written, ...removed]
}
