import { assert, describe, it } from "@effect/vitest"
import { imageSize } from "image-size"
import { inflateSync } from "node:zlib"
import { demoDeath, demoMap, mapReach } from "../../../src/domain/demo/DemoMap.ts"
import { SeededRandom } from "../../../src/domain/demo/SeededRandom.ts"

describe("the map of the demo", () => {
  const image = demoMap()

  it("is a PNG image of less than 64 KiB whose rows can be read", () => {
    assert.isBelow(image.length, 65_536)
    assert.deepInclude(imageSize(image), { width: 320, height: 320, type: "png" })
    const data = Buffer.from(image)
    const at = data.indexOf("IDAT")
    const rows = inflateSync(data.subarray(at + 4, at + 4 + data.readUInt32BE(at - 4)))
    assert.strictEqual(rows.length, 320 * 161)
  })

  it("has every place of a death on it", () => {
    const random = new SeededRandom(1)
    const all = Array.from({ length: 2000 }, () => demoDeath(random))
    const reach = Math.max(...all.flatMap(({ position: [x, , z] }) => [Math.abs(x), Math.abs(z)]))
    assert.isBelow(reach, mapReach + 40)
    assert.isBelow(all.filter(({ position: [x, , z] }) => Math.max(Math.abs(x), Math.abs(z)) > mapReach).length, 5)
  })
})
