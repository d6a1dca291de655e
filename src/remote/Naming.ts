import { Effect } from "effect"
import type { Document, Json } from "../domain/configuration/Document.ts"
import { isObject } from "../domain/configuration/Document.ts"
import type { NameLookup, NamedKind } from "../domain/configuration/Names.ts"
import { namesIn, withIds, withNames } from "../domain/configuration/Names.ts"
import type { Connection } from "./Connection.ts"
import { everyPage, pageOf } from "../../schema/EveryPage.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { explained, noneIfForbidden } from "./Refused.ts"

interface Named {
  readonly id: string | number
  readonly name: string
}

/** Which name each id has, and back. A name that several objects have is nobody's: they go by their ids. */
export class Naming {
  private readonly nameById = new Map<string, string>()
  private readonly idByName = new Map<string, string | number>()

  /** What identifies an object of these: its name, or its id where another has the name as well. */
  static keysOf(all: ReadonlyArray<Named>): ReadonlyArray<string> {
    const counts = new Map<string, number>()
    for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
    return all.map(({ id, name }) => (counts.get(name) === 1 ? name : String(id)))
  }

  add(kind: NamedKind, all: ReadonlyArray<Named>): void {
    for (const [index, key] of Naming.keysOf(all).entries()) {
      const each = all[index]
      if (each !== undefined) this.set(kind, key, each.id)
    }
  }

  set(kind: NamedKind, key: string, id: string | number): void {
    this.nameById.set(`${kind} ${id}`, key)
    this.idByName.set(`${kind} ${key}`, id)
  }

  readonly nameOf: NameLookup = (kind, id) => this.nameById.get(`${kind} ${id}`)
  readonly idOf: NameLookup = (kind, name) => this.idByName.get(`${kind} ${name}`)

  has(kind: NamedKind, name: string): boolean {
    return this.idByName.has(`${kind} ${name}`) || this.nameById.has(`${kind} ${name}`)
  }
}

/** Only the document of a configuration refers to anything; of other objects each field may. */
const rewritten = (
  kind: ManagedKind,
  fields: Document,
  change: (value: Document, isDocument: boolean) => Json
): Document => {
  const isDocument = kind === "configurations"
  const part = isDocument ? { configuration: fields["configuration"] ?? {} } : fields
  const changed = change(part, isDocument)
  if (!isObject(changed)) return fields
  return isDocument ? { ...fields, ...changed } : changed
}

export const fieldsWithNames = (kind: ManagedKind, fields: Document, naming: Naming): Document =>
  rewritten(kind, fields, (value, isDocument) => withNames(value, isDocument, naming.nameOf))

export const fieldsWithIds = (kind: ManagedKind, fields: Document, naming: Naming): Document =>
  rewritten(kind, fields, (value, isDocument) => withIds(value, isDocument, naming.idOf))

/** What the fields refer to by name. */
export const referencesOf = (kind: ManagedKind, fields: Document) =>
  kind === "configurations" ? namesIn({ configuration: fields["configuration"] ?? {} }, true) : namesIn(fields, false)

/** Names of what files refer to and do not hold. Where the token may not read them, files refer to them by id. */
export const surroundings = Effect.fnUntraced(function* ({ client, application, environment }: Connection) {
  const naming = new Naming()
  const path = { applicationId: application.id }
  const all = yield* noneIfForbidden(
    Effect.mapError(
      client.experiments.list({ path, headers: { environment_id: environment.id }, urlParams: {} }),
      explained("Experiments")
    )
  )
  // Nothing may refer to a draft, which may have the name of an experiment.
  const experiments = all.filter(({ status }) => status !== "draft")
  naming.add("experiments", experiments)
  naming.add(
    "groups",
    experiments.flatMap(({ name, groups }) => groups.map((group) => ({ id: group.id, name: `${name}/${group.name}` })))
  )
  const heatmaps = yield* noneIfForbidden(
    Effect.mapError(
      everyPage((cursor) => client.heatmaps.list({ path, urlParams: pageOf(cursor) })),
      explained("Heatmaps")
    )
  )
  naming.add("heatmaps", heatmaps)
  return { naming, experiments }
})
