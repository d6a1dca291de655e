import { assert, describe, it } from "@effect/vitest"
import { transformSync } from "esbuild"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../support/Server.ts"

const source = readFileSync(join(root, "src/adapters/node/YoungObjects.ts"), "utf8")
const makesObjectsYoung = `${transformSync(source, { loader: "ts" }).code}; makeObjectsYoung();`

/** Makes objects at one place, of which most live through several collections. */
const makesSurvivors = `
  const held = []
  const make = (at) => ({ at, list: [at, { at }] })
  const fill = (rounds) => {
    for (let at = 0; at < rounds; at++) held[at % 200_000] = make(at)
  }
  fill(3_000_000)
`

/**
 * What V8 says of places whose objects it makes among the old ones. V8 keeps to one thread here: with several, a busy machine decides when it
 * collects and compiles, and one run in fifty made no such decision at all. The space of young objects stays small, since V8 decides from Node 22
 * on once that is as large as it may become.
 */
const decisionsOf = (before: string): ReadonlyArray<string> =>
  execFileSync(
    process.execPath,
    [
      "--single-threaded",
      "--max-semi-space-size=1",
      "--trace-pretenuring-statistics",
      "--input-type=module",
      "-e",
      before + makesSurvivors
    ],
    { encoding: "utf8", maxBuffer: 2 ** 24 }
  )
    .split("\n")
    .filter((line) => line.includes("=> tenure"))

describe("objects of a server", () => {
  it("are made young, also where many made at the same place lived long", () => {
    assert.notDeepEqual(decisionsOf(""), [], "V8 decides otherwise by itself")
    assert.deepEqual(decisionsOf(makesObjectsYoung), [])
  })
})
