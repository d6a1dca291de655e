import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"

type Colour = readonly [red: number, green: number, blue: number]

const css = readFileSync(join(root, "src/web/theme/tokens.css"), "utf8")
const [lightText = "", darkText = ""] = css.split(':root[data-theme="dark"]')

const part = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255

const tokensIn = (text: string): ReadonlyMap<string, Colour> =>
  new Map(
    [...text.matchAll(/(--[\w-]+): #([0-9a-f]{6});/g)].map(
      ([, name = "", hex = ""]) => [name, [part(hex, 0), part(hex, 2), part(hex, 4)]] as const
    )
  )

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The ratio of WCAG 2.2, 1 to 21. */
const contrast = (left: Colour, right: Colour): number => {
  const [lower = 0, higher = 0] = [luminance(left), luminance(right)].sort((one, other) => one - other)
  return (higher + 0.05) / (lower + 0.05)
}

/** How linear light looks with a whole lack of one kind of cone: Machado, Oliveira, Fernandes 2009, severity 1. */
const sights: Readonly<Record<string, ReadonlyArray<ReadonlyArray<number>>>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]
  ]
}

const dot = (row: ReadonlyArray<number>, values: ReadonlyArray<number>): number =>
  row.reduce((sum, factor, index) => sum + factor * (values[index] ?? 0), 0)

/** OKLab of linear light: Ottosson 2020. */
const okLab = (light: ReadonlyArray<number>): ReadonlyArray<number> => {
  const cones = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005]
  ].map((row) => Math.cbrt(dot(row, light)))
  return [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766]
  ].map((row) => dot(row, cones))
}

const seen = (colour: Colour, sight: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => {
  const light = colour.map(linear)
  return okLab(sight.map((row) => Math.max(0, Math.min(1, dot(row, light)))))
}

const distance = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number =>
  Math.hypot(...left.map((value, index) => value - (right[index] ?? 0)))

const black: Colour = [0, 0, 0]

describe.each([
  ["light", lightText, 0.098, 0.11],
  ["dark", lightText + darkText, 0.104, 0.104]
] as const)("colours of the %s theme", (_, text, least, leastOfFour) => {
  const tokens = tokensIn(text)
  const colour = (name: string): Colour => tokens.get(name) ?? black
  const series = Array.from({ length: 8 }, (__, index) => colour(`--series-${index}`))

  const texts: ReadonlyArray<readonly [ink: string, on: string, ratio: number]> = [
    ["--ink", "--surface", 7],
    ["--ink", "--bg", 7],
    ["--ink", "--raised", 7],
    ["--ink", "--sunk", 7],
    ["--ink", "--accent-soft", 7],
    ["--ink2", "--surface", 4.5],
    ["--ink2", "--bg", 4.5],
    ["--ink2", "--raised", 4.5],
    ["--ink2", "--sunk", 4.5],
    ["--ink2", "--accent-soft", 4.5],
    ["--accent", "--surface", 4.5],
    ["--accent", "--accent-soft", 4.5],
    ["--on-accent", "--accent", 4.5],
    ["--good", "--surface", 4.5],
    ["--bad", "--surface", 4.5],
    ["--bad", "--raised", 4.5],
    ["--warn", "--warn-soft", 4.5],
    ["--focus", "--surface", 3],
    ["--focus", "--bg", 3]
  ]
  it.each(texts)("%s can be read on %s: %s to 1", (ink, on, ratio) => {
    assert.isAtLeast(contrast(colour(ink), colour(on)), ratio)
  })

  it("every series stands out from the card", () => {
    for (const each of series) assert.isAtLeast(contrast(each, colour("--surface")), 3)
  })

  it.each(Object.entries(sights))("series can be told apart with %s sight", (__, sight) => {
    for (const [position, left] of series.entries()) {
      for (const [other, right] of series.slice(0, position).entries()) {
        const apart = distance(seen(left, sight), seen(right, sight))
        assert.isAtLeast(apart, position < 4 ? leastOfFour : least, `series ${other} and ${position}`)
      }
    }
  })

  it("the ramp becomes steadily darker or lighter, and its numbers can be read", () => {
    const ramp = Array.from({ length: 6 }, (__, index) => colour(`--heat-${index}`))
    const lightness = ramp.map((each) => seen(each, sights["normal"] ?? [])[0] ?? 0)
    const steps = lightness.slice(1).map((value, index) => Math.sign(value - (lightness[index] ?? 0)))
    assert.strictEqual(new Set(steps).size, 1)
    const inks = ["--ink", "--ink", "--ink", "--heat-ink-fourth", "--heat-ink-high", "--heat-ink-high"]
    for (const [index, ink] of inks.entries()) {
      assert.isAtLeast(contrast(colour(ink), ramp[index] ?? black), 4.5, `step ${index}`)
    }
  })
})
