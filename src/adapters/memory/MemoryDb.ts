import { Context, Effect, FiberRef, Layer, Option } from "effect"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import type { Browser } from "../../domain/access/Browser.ts"
import type {
  Application,
  Environment,
  Invitation,
  Membership,
  Organization
} from "../../domain/access/Organization.ts"
import type { Grant, Role } from "../../domain/access/Role.ts"
import type { User } from "../../domain/access/User.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import type { Icon } from "../../ports/OrganizationRepo.ts"
import { Transaction } from "../../ports/Transaction.ts"

/** Rows of one table; a write replaces the list, so a snapshot is the list itself. */
export class Table<Row> {
  rows: ReadonlyArray<Row> = []
  private highest = 0

  nextId(): number {
    return ++this.highest
  }

  insert(row: Row): Row {
    this.rows = [...this.rows, row]
    return row
  }

  /** None where there is no such row. */
  replace(test: (row: Row) => boolean, next: Row): Option.Option<Row> {
    const isThere = this.rows.some(test)
    this.rows = this.rows.map((row) => (test(row) ? next : row))
    return isThere ? Option.some(next) : Option.none()
  }

  /** The same; None within where the row may not become so. */
  replaceUnless(isTaken: boolean, test: (row: Row) => boolean, next: Row): Option.Option<Option.Option<Row>> {
    if (isTaken) return this.rows.some(test) ? Option.some(Option.none()) : Option.none()
    return Option.map(this.replace(test, next), Option.some)
  }

  remove(test: (row: Row) => boolean): void {
    this.rows = this.rows.filter((row) => !test(row))
  }

  /** What puts the present rows back. */
  snapshot(): () => void {
    const { rows } = this
    return () => {
      this.rows = rows
    }
  }
}

const emptyTables = () => ({
  users: new Table<User>(),
  browsers: new Table<Browser>(),
  organizations: new Table<Organization>(),
  icons: new Table<Icon & { readonly organizationId: OrganizationId }>(),
  memberships: new Table<Membership>(),
  invitations: new Table<Invitation>(),
  roles: new Table<Role>(),
  grants: new Table<Grant>(),
  applications: new Table<Application>(),
  environments: new Table<Environment>(),
  credentials: new Table<ApiKey>()
})

type Tables = ReturnType<typeof emptyTables>

/** All tables of the memory store, so that a transaction can undo them together. */
export class MemoryDb extends Context.Tag("adapters/memory/MemoryDb")<
  MemoryDb,
  Tables & {
    /** Runs the step as soon as no transaction of another fiber is under way. */
    readonly access: <A>(step: () => A) => Effect.Effect<A>
    /** The same; a step that finds nothing to change is a defect. */
    readonly change: <A>(step: () => Option.Option<A>) => Effect.Effect<A>
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}

const make = Effect.gen(function* () {
  const tables = emptyTables()
  const permit = yield* Effect.makeSemaphore(1)
  const isInside = FiberRef.unsafeMake(false)
  const inTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(FiberRef.get(isInside), (inside) => (inside ? effect : permit.withPermits(1)(effect)))

  const access = <A>(step: () => A) => inTurn(Effect.sync(step))
  const undone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const undo = Object.values(tables).map((table) => table.snapshot())
      return Effect.onExit(Effect.locally(effect, isInside, true), (exit) =>
        exit._tag === "Success" ? Effect.void : Effect.sync(() => undo.forEach((each) => each()))
      )
    })

  return MemoryDb.of({
    ...tables,
    access,
    change: (step) => Effect.orDie(Effect.flatten(access(step))),
    transaction: (effect) => inTurn(undone(effect))
  })
})

export const MemoryDbLive = Layer.effect(MemoryDb, make)

export const TransactionMemory = Layer.effect(
  Transaction,
  Effect.map(MemoryDb, ({ transaction }) => Transaction.of({ run: transaction }))
)
