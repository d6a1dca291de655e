import { crc32 } from "node:zlib"
import {
  type ActiveDay,
  type ActiveHours,
  decodeDay,
  decodeHoursOfUnit,
  encodeDay,
  mergeDay,
  withoutUnits
} from "../format/ActiveDay.ts"
import type { Db } from "./Db.ts"

interface Row {
  readonly data: Uint8Array
  readonly checksum: number
}

export interface StampedDay {
  readonly day: number
  /** Increases with every change of the day, so caches can tell its versions apart. */
  readonly stamp: number
}

/** Which units were active in which hours of each UTC day. It covers everything ever sealed and outlives retention. */
export class StoredActivity {
  private readonly db: Db
  private readonly find
  private readonly put
  private readonly between
  private readonly complete

  constructor(db: Db) {
    this.db = db
    this.find = db.prepare<[number, number], Row>(
      "select data, checksum from activity where environment_id = ? and day = ?"
    )
    this.put = db.prepare<[number, number, number, Uint8Array]>(
      `insert into activity (environment_id, day, stamp, checksum, data) values (?, ?, 1, ?, ?)
       on conflict do update set stamp = stamp + 1, checksum = excluded.checksum, data = excluded.data`
    )
    this.between = db.prepare<[number, number, number], StampedDay>(
      "select day, stamp from activity where environment_id = ? and day between ? and ? order by day"
    )
    this.complete = db.prepare<[number], { complete_from: number | null }>(
      "select complete_from from environment where id = ?"
    )
  }

  /** The stored days (numbered since 1970) from `first` to `last`, both included. */
  days(environmentId: number, first: number, last: number): ReadonlyArray<StampedDay> {
    return this.between.all(environmentId, first, last)
  }

  /** The units of a day, empty if none was active; undefined when the stored day is damaged. */
  read(environmentId: number, day: number): ActiveDay | undefined {
    return this.decoded(environmentId, day, decodeDay, new Uint32Array(0))
  }

  /** The hours of a day in which one unit was active, a bit for each; undefined when the stored day is damaged. */
  hoursOfUnit(environmentId: number, day: number, unit: number): number | undefined {
    return this.decoded(environmentId, day, (data) => decodeHoursOfUnit(data, unit), 0)
  }

  private decoded<Decoded>(
    environmentId: number,
    day: number,
    decode: (data: Uint8Array) => Decoded,
    none: Decoded
  ): Decoded | undefined {
    const row = this.find.get(environmentId, day)
    if (row === undefined) return none
    return crc32(row.data) === row.checksum ? decode(row.data) : undefined
  }

  /** Adds collected hours. Call it inside the transaction that stores the markers. A damaged day is left as it is. */
  save(environmentId: number, { days }: Pick<ActiveHours, "days">): void {
    for (const [day, units] of days) {
      const known = this.read(environmentId, day)
      if (known !== undefined) this.write(environmentId, day, mergeDay(known, units))
    }
  }

  /** Removes units from every day, one transaction a day; yields in between. */
  *forget(environmentId: number, units: ReadonlySet<number>): Generator<void, void> {
    for (const { day } of this.days(environmentId, -Infinity, Infinity)) {
      this.db.transaction(() => {
        const known = this.read(environmentId, day)
        const kept = known === undefined ? undefined : withoutUnits(known, units)
        if (kept !== undefined && kept.length !== known?.length) this.write(environmentId, day, kept)
      })()
      yield
    }
  }

  /** Epoch ms before which retention has dropped markers that the days still show. */
  completeFrom(environmentId: number): number {
    return this.complete.get(environmentId)?.complete_from ?? -Infinity
  }

  /** Records that all markers up to and including the instant (epoch ms) have been dropped. */
  drop(environmentId: number, upTo: number): void {
    this.db
      .prepare<[number, number]>("update environment set complete_from = ? where id = ?")
      .run(Math.max(upTo + 1, this.completeFrom(environmentId)), environmentId)
  }

  private write(environmentId: number, day: number, units: ActiveDay): void {
    const data = encodeDay(units)
    this.put.run(environmentId, day, crc32(data), data)
  }
}
