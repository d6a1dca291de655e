export const start = Date.parse("2026-03-02T00:00:00Z")

export const minute = 60_000

export const week = { from: "2026-03-02T00:00:00Z", to: "2026-03-09T00:00:00Z" }

let serial = 0

export const marker = (type: string, at: number, rest: object = {}) => ({
  markerId: `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`,
  timestamp: at,
  type,
  value: {},
  properties: { platform: "ios" },
  ...rest
})

export const keysOf = (value: object) => Object.keys(value).sort()

export interface Named {
  readonly name: string
}

export const byName = <A extends Named>(records: ReadonlyArray<A>, name: string) =>
  records.find((each) => each.name === name)
