import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, vi } from "vitest"
import type { Marker } from "../../src/sdk/Marker.ts"
import { fileStorage } from "../../src/sdk/node.ts"
import { withFolder } from "../support/Server.ts"

const markerOf = (name: string): Marker => ({ markerId: name, timestamp: 1, eventName: name })

const namesIn = async (folder: string) => {
  const storage = fileStorage(folder)
  const markers = await storage.markers()
  await storage.close()
  return markers.map(({ eventName }) => eventName)
}

/** The next line of any file is written in half, as by a disk that fills up within it. */
const fillUpOnce = async (folder: string) => {
  const probe = await open(join(folder, "probe"), "w")
  await probe.close()
  const half = async function (this: FileHandle, text: unknown) {
    await this.write(String(text).slice(0, 20))
    throw new Error("ENOSPC: no space left on device, write")
  }
  vi.spyOn(Object.getPrototypeOf(probe), "appendFile").mockImplementationOnce(half)
}

describe("what a client keeps in a folder", () => {
  afterEach(() => void vi.restoreAllMocks())

  it("outlives a disk that was full for a while", () =>
    withFolder(async (folder) => {
      const storage = fileStorage(folder)
      await storage.keep([markerOf("before")])
      await fillUpOnce(folder)
      const refused = await storage.keep([markerOf("full")]).catch((cause: Error) => cause.message)
      assert.match(String(refused), /ENOSPC/)
      await storage.keep([markerOf("after")])
      await storage.close()
      const names = await namesIn(folder)
      assert.deepStrictEqual(names, ["before", "full", "after"])
    }))

  it("outlives a disk on which the file could not be written anew", () =>
    withFolder(async (folder) => {
      const storage = fileStorage(folder)
      const properties = { text: "x".repeat(2000) }
      const many = Array.from({ length: 600 }, (_, n) => ({ ...markerOf(String(n)), properties }))
      // A folder in its place is in the way of what is to replace the file.
      mkdirSync(join(folder, "markers.ndjson.draft"))
      for (let at = 0; at < many.length; at += 200) await storage.keep(many.slice(at, at + 200))
      await storage.keep([markerOf("after")])
      await storage.close()
      assert.strictEqual((await namesIn(folder)).length, 601)
    }))

  it("is all there where two clients share the folder, by whomever the file is written anew", () =>
    withFolder(async (folder) => {
      const one = fileStorage(folder)
      await one.keep([markerOf("one")])
      const other = fileStorage(folder)
      await other.keep([markerOf("other")])
      await one.keep([markerOf("one again")])
      await one.remove(["one"])
      assert.sameMembers(await namesIn(folder), ["other", "one again"])
      await one.close()
      await other.close()
    }))

  it("is read although its texts are damaged", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "markers.ndjson"), `${JSON.stringify({ kept: [markerOf("kept")] })}\n`)
      for (const damaged of ["", "null", '{"a"', '{"a":1}']) {
        writeFileSync(join(folder, "texts.json"), damaged)
        const storage = fileStorage(folder)
        assert.isNull(await storage.read("a"))
        await storage.close()
        assert.deepStrictEqual(await namesIn(folder), ["kept"])
      }
    }))

  it("has the texts that were written last, and not all that ever were", () =>
    withFolder(async (folder) => {
      const storage = fileStorage(folder)
      const text = "x".repeat(1024 * 1024)
      for (let n = 0; n < 6; n++) await storage.write(`player-${n}`, text)
      await storage.close()
      const again = fileStorage(folder)
      const kept = await Promise.all(Array.from({ length: 6 }, (_, n) => again.read(`player-${n}`)))
      await again.close()
      assert.deepStrictEqual(
        kept.map((each) => each?.length ?? 0),
        [0, 0, ...Array.from({ length: 4 }, () => text.length)]
      )
    }))

  it("writes texts that come together once", () =>
    withFolder(async (folder) => {
      const storage = fileStorage(folder)
      await storage.write("first", "1")
      const probe = await open(join(folder, "probe"), "w")
      await probe.close()
      const writes = vi.spyOn(Object.getPrototypeOf(probe), "writeFile")
      await Promise.all(Array.from({ length: 100 }, (_, n) => storage.write(`player-${n}`, "x")))
      assert.strictEqual(writes.mock.calls.length, 1)
      await storage.close()
      assert.lengthOf(Object.keys(JSON.parse(readFileSync(join(folder, "texts.json"), "utf8"))), 101)
    }))
})
