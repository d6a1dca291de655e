import type { Incomplete } from "../../../../domain/analytics/question/Question.ts"
import { storedName } from "../bytes/MarkerId.ts"
import type { Db } from "../file/Db.ts"
import { lackingOf } from "../file/Segments.ts"
import type { StoredActivity } from "../file/StoredActivity.ts"
import type { Compactor } from "./Compactor.ts"
import { ForgottenValues } from "./ForgottenValues.ts"
import type { MemberWriter } from "./MemberWriter.ts"
import type { OwnPreparation } from "./Preparation.ts"

/** Removes all that is sealed of units. */
export class UnitErasure {
  private readonly own: OwnPreparation
  private readonly compactor: Compactor
  private readonly members: MemberWriter
  private readonly activity: StoredActivity
  private readonly onRenamed: () => void
  private readonly values: ForgottenValues
  private readonly find

  /** `onRenamed` is called when names of units and sessions have changed. */
  constructor(
    db: Db,
    own: OwnPreparation,
    compactor: Compactor,
    members: MemberWriter,
    activity: StoredActivity,
    onRenamed: () => void
  ) {
    this.own = own
    this.compactor = compactor
    this.members = members
    this.activity = activity
    this.onRenamed = onRenamed
    this.values = new ForgottenValues(db)
    this.find = db.prepare<[number, string | Uint8Array], { id: number }>(
      "select id from unit where environment_id = ? and name = ?"
    )
  }

  /** Answers for each unit which markers could not be read; yields after each transaction, segment and column. */
  *erase(environmentId: number, unitIds: ReadonlyArray<string>): Generator<void, ReadonlyArray<Incomplete | null>> {
    const ids = unitIds.map((unitId) => this.find.get(environmentId, storedName(unitId))?.id)
    const units = new Set(ids.filter((id) => id !== undefined))
    const unreached = units.size === 0 ? null : yield* this.eraseRows(environmentId, units)
    yield* this.values.forget(environmentId, unitIds)
    return ids.map((id) => lackingOf((id === undefined ? undefined : unreached?.get(id)) ?? []))
  }

  /** Removes the units' rows first and their names last: an erasure that was cut off finds the remaining rows by the name. */
  private *eraseRows(environmentId: number, units: ReadonlySet<number>) {
    this.own.sessions.forget(environmentId, yield* this.compactor.sessionsOf(environmentId, units))
    const unreached = yield* this.compactor.erase(environmentId, units)
    for (const unit of units) {
      this.members.erase(environmentId, unit)
      yield
    }
    yield* this.activity.forget(environmentId, units)
    this.own.units.forget(environmentId, [...units])
    this.onRenamed()
    return unreached
  }
}
