import { assert, describe, it } from "@effect/vitest"
import {
  backupName,
  countDifferences,
  backupsAhead,
  isBackupName,
  newerFormat,
  newestOf,
  surplus
} from "../../../src/domain/operations/Backup.ts"

describe("backups", () => {
  it("have names that sort by their instants, and nothing else has such a name", () => {
    const instants = [0, Date.UTC(2026, 10, 2, 3, 4, 5, 6), Date.UTC(2026, 10, 12)]
    const names = instants.map(backupName)
    assert.strictEqual(names[1], "gamekeeper-2026-11-02T03-04-05-006Z")
    assert.deepStrictEqual([...names].sort(), names)
    assert.isTrue([...names, `${names[0]}-0123456789ab`].every(isBackupName))
    assert.isFalse(
      [`.unfinished-${names[0]}`, `${names[0]}-of-mine`, "gamekeeper-2026", "photos", ""].some(isBackupName)
    )
  })

  it("are surplus from the oldest on, those of another installation never, and one always stays", () => {
    const backups = ["c", "a", "x", "b"].map((name) => ({
      name,
      installation: name === "x" ? "other" : "own",
      instant: 0
    }))
    assert.deepStrictEqual(surplus(backups, "own", 2, 0), ["a"])
    assert.deepStrictEqual(surplus(backups, "own", 3, 0), [])
    assert.deepStrictEqual(surplus(backups, "own", 0, 0), ["a", "b"])
    assert.deepStrictEqual(surplus(backups, null, 1, 0), [])
  })

  it("that lie ahead of the clock push nobody out and are not the newest", () => {
    const minute = 60_000
    const backups = [0, 10, 20, 21, 9000].map((minutes) => ({
      name: String(minutes).padStart(4, "0"),
      installation: "own",
      instant: minutes * minute
    }))
    const now = 10 * minute
    const instantOf = ({ instant }: { readonly instant: number }) => instant
    assert.deepStrictEqual(surplus(backups, "own", 1, now), ["0000", "0010"])
    assert.deepStrictEqual(backupsAhead(backups, "own", now), ["0021", "9000"])
    assert.deepStrictEqual(backupsAhead(backups, "other", now), [])
    assert.strictEqual(newestOf(backups, instantOf, now)?.name, "0020")
    assert.strictEqual(newestOf(backups, instantOf, 9000 * minute)?.name, "9000")
    assert.isUndefined(newestOf(backups.slice(3), instantOf, now))
  })

  it("are compared by every count", () => {
    assert.deepStrictEqual(countDifferences({ users: 1, tail: 2 }, { tail: 2, users: 1 }), [])
    assert.deepStrictEqual(countDifferences({ users: 1, tail: 2 }, { users: 0, more: 1 }), [
      "more: 1 instead of none",
      "tail: none instead of 2",
      "users: 0 instead of 1"
    ])
  })

  it("of a newer version are told apart from those that can be restored", () => {
    const known = { metadata: 23, events: 6 }
    assert.isNull(newerFormat(known, known))
    assert.isNull(newerFormat({ metadata: 1, events: 1 }, known))
    assert.match(newerFormat({ metadata: 24, events: 6 }, known) ?? "", /schema 24, this version knows 23/)
    assert.match(newerFormat({ metadata: 23, events: 7 }, known) ?? "", /format 7, this version knows 6/)
  })
})
