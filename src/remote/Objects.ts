import { Effect, type ParseResult, Schema } from "effect"
import { JsonObject } from "../../schema/Json.ts"
import type { Document } from "../domain/configuration/Document.ts"
import { equals } from "../domain/configuration/Document.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { withoutEmpty } from "./FileSchemas.ts"
import type { RemoteRefused } from "./Refused.ts"
import { explained, refusal } from "./Refused.ts"

/** An object as the server has it, with ids in its fields. Writing it is refused where somebody has changed it since it was read. */
export interface Existing {
  readonly id: string | number
  readonly name: string
  readonly fields: Document
  /** Answers the object as it then is. */
  readonly update: (fields: Document) => Effect.Effect<Existing, RemoteRefused>
  readonly remove: Effect.Effect<unknown, RemoteRefused>
}

/** What was made. */
export interface Created {
  readonly id: string | number
}

/** The objects of one kind. */
export interface Objects {
  readonly list: Effect.Effect<ReadonlyArray<Existing>, RemoteRefused>
  readonly create: (fields: Document) => Effect.Effect<Created, RemoteRefused>
}

/** How objects of one kind are read and written over the API. */
interface Calls<R, A, I> {
  readonly kind: ManagedKind
  readonly schema: Schema.Schema<A, I>
  readonly list: Effect.Effect<ReadonlyArray<R>, unknown>
  readonly get: (record: R) => Effect.Effect<R, unknown>
  readonly create: (content: A) => Effect.Effect<Created, unknown>
  /** Replaces what was read as `record`; the server refuses it where the contract lets it tell. */
  readonly replace: (record: R, content: A) => Effect.Effect<R, unknown>
  readonly remove: (record: R) => Effect.Effect<unknown, unknown>
}

const document = Schema.decodeUnknown(JsonObject)

/** Without what an object loses because another gets it. */
const own = ({ isPrimary: _, pinned: __, ...fields }: Document): Document => fields

const namesOf = (record: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).filter(([field, value]) => ["name", "alias"].includes(field) && typeof value === "string")
  )

const changed = (what: string) =>
  refusal(`${what} has been changed at the server since it was read: plan again`, "CHANGED_MEANWHILE")

/** The objects that the calls read and write. */
export const objectsOf = <R extends { readonly id: string | number; readonly name: string }, A, I>(
  calls: Calls<R, A, I>
): Objects => {
  const { kind, schema } = calls

  // A name or alias that was given before may be one that no new one may be.
  const fieldsOf = (record: R) => {
    const named = namesOf(record)
    const readable = Object.fromEntries(Object.keys(named).map((field) => [field, kind]))
    return Schema.encodeUnknown(schema)({ ...record, ...readable }).pipe(
      Effect.flatMap(document),
      Effect.map((fields) => withoutEmpty(kind, { ...fields, ...named }))
    )
  }

  const decode = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })

  const existing: (record: R) => Effect.Effect<Existing, ParseResult.ParseError> = Effect.fnUntraced(
    function* (record) {
      const { id, name } = record
      const fields: Document = yield* fieldsOf(record)
      const what = `${kind}/${name}`
      const unchanged = Effect.gen(function* () {
        const now = yield* Effect.mapError(calls.get(record), explained(what))
        const present: Document = yield* Effect.mapError(fieldsOf(now), explained(what))
        return equals(own(present), own(fields)) ? now : yield* changed(what)
      })
      const update = (next: Document) =>
        Effect.flatMap(unchanged, (now) =>
          decode(next).pipe(
            Effect.flatMap((content) => calls.replace(now, content)),
            Effect.flatMap(existing),
            Effect.mapError(explained(what))
          )
        )
      const remove = Effect.flatMap(unchanged, (now) => Effect.mapError(calls.remove(now), explained(what)))
      return { id, name, fields, update, remove } satisfies Existing
    }
  )

  return {
    list: calls.list.pipe(
      Effect.flatMap(Effect.forEach((record) => existing(record))),
      Effect.mapError(explained(kind))
    ),
    create: (fields) =>
      decode(fields).pipe(Effect.flatMap(calls.create), Effect.mapError(explained(`${kind}/${String(fields["name"])}`)))
  }
}
