import { Effect, Option } from "effect"
import type { ApiKey } from "../../../src/domain/access/ApiKey.ts"
import type { Browser } from "../../../src/domain/access/Browser.ts"
import type {
  Application,
  Environment,
  Invitation,
  Membership,
  Organization
} from "../../../src/domain/access/Organization.ts"
import type { Grant, Role } from "../../../src/domain/access/Role.ts"
import type { User } from "../../../src/domain/access/User.ts"

/** What was made so far, removed or not. Rows are named by their place here, since stores number as they like. */
export const emptyWorld = () => ({
  users: new Array<User>(),
  browsers: new Array<Browser>(),
  organizations: new Array<Organization>(),
  memberships: new Array<Membership>(),
  invitations: new Array<Invitation>(),
  roles: new Array<Role>(),
  grants: new Array<Grant>(),
  applications: new Array<Application>(),
  environments: new Array<Environment>(),
  keys: new Array<ApiKey>()
})

export type World = ReturnType<typeof emptyWorld>
export type Kind = keyof World

const references: Readonly<Record<string, Kind>> = {
  organizationId: "organizations",
  membershipId: "memberships",
  roleId: "roles",
  applicationId: "applications"
}

const placeOf = (world: World, kind: Kind, id: unknown) => world[kind].findIndex((row) => row.id === id)

/** The row with places instead of ids. */
const placed = (world: World, kind: Kind, row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const of = name === "id" ? kind : references[name]
      return [name, of === undefined || value === null ? value : placeOf(world, of, value)]
    })
  )

/** The answer of a store, in words that every store shares. */
export const answer =
  (world: World, kind: Kind) =>
  <A extends object, R>(question: Effect.Effect<A, never, R>): Effect.Effect<unknown, never, R> =>
    Effect.map(question, (found) => {
      const one = (row: object) => placed(world, kind, row)
      if (Option.isOption(found)) return Option.getOrNull(Option.map(Option.map(found, Object), one))
      return Array.isArray(found) ? found.map(one) : one(found)
    })

/** Notes a row that was made. */
export const making =
  <A extends { readonly id: unknown }>(rows: Array<A>) =>
  <B extends A | Option.Option<A>, R>(made: Effect.Effect<B, never, R>): Effect.Effect<B, never, R> =>
    Effect.tap(made, (row) => {
      const known = Option.isOption(row) ? Option.getOrUndefined(row as Option.Option<A>) : (row as A)
      if (known !== undefined && !rows.some(({ id }) => id === known.id)) rows.push(known)
    })

/** One of the rows made so far; None before the first. */
export const pick = <A>(rows: ReadonlyArray<A>, n: number): Option.Option<A> =>
  Option.fromNullable(rows[n % Math.max(1, rows.length)])

/** Forgets what was made after that, when it is undone. */
export const mark = (world: World) => {
  const lengths = Object.values(world).map((rows) => rows.length)
  return () => Object.values(world).forEach((rows, n) => rows.splice(lengths[n] ?? 0))
}
