import { assert } from "@effect/vitest"
import type { Laboratory } from "./Laboratory.ts"

/** The instant in so many hours. */
export const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

export const group = (name: string, weight: number, more: object = {}) => ({ name, weight, ...more })

export const draft = { status: "draft" }

export const proportion = (id: string) => ({ id, name: id, type: "proportion", marker: "Purchase" })

/** A draft on a configuration of its own. */
export const drafted = async (lab: Laboratory, more: object = {}) => {
  const configuration = await lab.configure()
  const { status, body } = await lab.create(configuration.id, { ...draft, ...more })
  assert.strictEqual(status, 201)
  return { configuration, made: body, path: `${lab.root}/experiments/${body.id}` }
}
