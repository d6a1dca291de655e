import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority, platform } from "node:os"
import { join } from "node:path"
import { folderStores } from "../../support/Folder.ts"
import { eventually } from "../../support/Npm.ts"
import { withFolder } from "../../support/Server.ts"

const tasks = "/proc/self/task"

/** The priorities of the threads of this process, as Linux counts them: the higher the number, the later a thread's turn. */
const priorities = (): ReadonlyArray<number> =>
  readdirSync(tasks).map((task) => {
    const text = readFileSync(join(tasks, task, "stat"), "utf8")
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[16])
  })

it("threads that answer questions give way on Linux, and no others", () =>
  withFolder(async (folder) => {
    if (platform() !== "linux") return
    const own = getPriority()
    const given = Math.min(19, own + 5)
    const countOf = (priority: number) => priorities().filter((each) => each === priority).length
    const [usual, giving] = [countOf(own), countOf(given)]
    await Layer.build(folderStores(join(folder, "data"))).pipe(
      Effect.zipRight(
        Effect.promise(async () => {
          await eventually("a reader's thread", async () => countOf(given) > giving || undefined)
          // Those of the writers.
          assert.isAbove(countOf(own), usual)
          assert.strictEqual(getPriority(), own)
        })
      ),
      Effect.scoped,
      Effect.runPromise
    )
  }))
