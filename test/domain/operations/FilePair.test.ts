import { assert, describe, it } from "@effect/vitest"
import {
  describeMismatch,
  type FoundFile,
  isAcceptable,
  mismatchOf,
  type PairIds
} from "../../../src/domain/operations/FilePair.ts"

const absent: FoundFile = { _tag: "Absent" }
const foreign: FoundFile = { _tag: "Foreign" }
const metadata = (ids: PairIds | null, hasHistory = true): FoundFile => ({ _tag: "Metadata", ids, hasHistory })
const events = (ids: PairIds | null, hasHistory = true): FoundFile => ({ _tag: "Events", ids, hasHistory })

const m = { own: "m", partner: "e" }
const e = { own: "e", partner: "m" }
const waiting = { own: "w", partner: null }

const paths = { metadata: "data/metadata.sqlite", events: "data/events.sqlite" }

const cases: ReadonlyArray<
  readonly [name: string, FoundFile, FoundFile, expected: string | null, isAccepted: boolean]
> = [
  ["an empty folder", absent, absent, null, false],
  ["partners", metadata(m), events(e), null, false],
  ["files of versions without ids", metadata(null), events(null), null, false],
  ["no markers beside projects", metadata(m), absent, "Lost events", true],
  ["no markers beside projects of a version without ids", metadata(null), absent, "Lost events", true],
  ["no markers beside a metadata file without projects", metadata(m, false), absent, null, false],
  ["no metadata beside markers", absent, events(e), "Lost metadata", true],
  ["no metadata beside markers of a version without ids", absent, events(null), "Lost metadata", true],
  ["no metadata beside an event file without markers", absent, events(e, false), null, false],
  ["strangers", metadata(m), events({ own: "x", partner: "y" }), "Strangers", false],
  ["a partner that has another partner", metadata(m), events({ own: "e", partner: "y" }), "Strangers", false],
  ["metadata older than the ids", metadata(null), events(e), "Unpaired metadata", true],
  ["events older than the ids", metadata(m), events(null), "Unpaired events", true],
  ["metadata that wait for their partner", metadata(waiting), events(e), null, false],
  ["metadata that wait beside no events", metadata(waiting), absent, null, false],
  ["events that wait for their partner", metadata(m), events(waiting), null, false],
  ["events that wait beside no metadata", absent, events(waiting), null, false],
  ["swapped files", events(e), metadata(m), "Swapped", false],
  ["the metadata under the events' name", absent, metadata(m), "Swapped", false],
  ["the events under the metadata's name", events(e), absent, "Swapped", false],
  ["the events under both names", events(e), events(e), "Foreign metadata", false],
  ["the metadata under both names", metadata(m), metadata(m), "Foreign events", false],
  ["another program's file for the metadata", foreign, events(e), "Foreign metadata", false],
  ["another program's file for the events", metadata(m), foreign, "Foreign events", false]
]

describe("I9: two files", () => {
  it.each(cases)("%s", (_, first, second, expected, isAccepted) => {
    const mismatch = mismatchOf({ metadata: first, events: second })
    if (mismatch === null) return assert.isNull(expected)
    assert.strictEqual([mismatch._tag, ...("file" in mismatch ? [mismatch.file] : [])].join(" "), expected)
    assert.strictEqual(isAcceptable(mismatch), isAccepted)
    const text = describeMismatch(mismatch, paths)
    assert.match(text, /data\/(metadata|events)\.sqlite/)
    assert.match(text, /put back|exchange|move/)
    assert.strictEqual(text.includes("doctor --accept"), isAccepted)
  })
})
