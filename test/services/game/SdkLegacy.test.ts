import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { stage, world } from "../../support/game/LegacyWorld.ts"

const groupIdOf = ({ groups }: StoredExperiment, ordinal: number) => groups[ordinal]!.id

const allOf = (...experiments: ReadonlyArray<StoredExperiment>) =>
  experiments.flatMap(({ groups }) => groups.map(({ id }) => id))

const named = new TextDecoder()

describe("older games that ask for a configuration by name", () => {
  it.scoped("E3: get an answer that was written once for all who are in the same groups", () =>
    Effect.gen(function* () {
      const { experiment, configuration, follow } = yield* world
      const one = yield* experiment()
      follow({ a: [[one, 0]], b: [[one, 0]], c: [[one, 1]] })
      const [a, b, c] = [yield* configuration("a"), yield* configuration("b"), yield* configuration("c")]
      assert.strictEqual(b.bytes, a.bytes)
      assert.notStrictEqual(c.bytes, a.bytes)
      assert.strictEqual((yield* configuration()).bytes, (yield* configuration("nobody")).bytes)
      assert.deepStrictEqual(JSON.parse(named.decode((yield* configuration()).bytes)), {
        name: "main",
        configuration: { speed: 1 },
        experiment: null
      })
      assert.deepStrictEqual(JSON.parse(named.decode(c.bytes)).experiment, { id: one.id, group: one.groups[1]!.name })
    }).pipe(Effect.provide(stage))
  )
})

describe("older game servers that ask for groups", () => {
  it.scoped("learn of each player the first group that the player is in", () =>
    Effect.gen(function* () {
      const { experiment, assign, follow } = yield* world
      const [one, two] = [yield* experiment(), yield* experiment()]
      follow({
        "7": [
          [two, 1],
          [one, 0]
        ],
        "8": [[two, 1]],
        x: [[one, 0]]
      })
      const answer = yield* assign({ playerIds: [7, "7", 8, "x", 9], knownGroupIds: allOf(one, two) }, "server-1")
      const playerIdsByGroupId = { [String(groupIdOf(one, 0))]: ["7", "x"], [String(groupIdOf(two, 1))]: ["8"] }
      assert.deepStrictEqual(answer, { targetType: "player", playerIdsByGroupId })
    }).pipe(Effect.provide(stage))
  )

  it.scoped("hear what experiments ask for under the names by which they ask", () =>
    Effect.gen(function* () {
      const { experiment, assign, asked } = yield* world
      const conditions = ["roblox.country", "properties.country", "properties.level"].map((property) => ({
        property,
        operator: "isSet" as const,
        operands: [],
        value: null
      }))
      yield* experiment({ targeting: { cohortIds: [], conditions, newUsersOnly: false } })
      const playerProperties = { "7": { country: "NO", "properties.level": 3, mood: null } }
      yield* assign({ playerIds: [7, 8], playerProperties })
      assert.deepStrictEqual(asked, [
        [
          "user 7",
          { "properties.country": "NO", "roblox.country": "NO", "properties.level": 3, "properties.mood": null }
        ],
        ["user 8", {}]
      ])
    }).pipe(Effect.provide(stage))
  )

  it.scoped("are assigned themselves before their players, who are then not asked about", () =>
    Effect.gen(function* () {
      const { experiment, assign, follow, asked } = yield* world
      const [users, servers] = [yield* experiment(), yield* experiment({ unitType: "server" })]
      const known = allOf(users, servers)
      follow({ "server-1": [[servers, 1]], "7": [[users, 1]] })
      const answer = yield* assign(
        { playerIds: [7], knownGroupIds: known, serverProperties: { placeId: 5 } },
        "server-1"
      )
      assert.deepStrictEqual(answer, { targetType: "gameserver", gameserverGroupId: groupIdOf(servers, 1) })
      assert.deepStrictEqual(asked, [["server server-1", { "properties.placeId": 5 }]])
      const playerIdsByGroupId = { [String(groupIdOf(users, 1))]: ["7"] }
      for (const [changes, serverId] of [
        [{}, "server-2"],
        [{ allowGameserverAssignment: false }, "server-1"],
        [{}, undefined],
        [{}, ""]
      ] as const) {
        const answer: unknown = yield* assign({ playerIds: [7], knownGroupIds: known, ...changes }, serverId)
        assert.deepStrictEqual(answer, { targetType: "player", playerIdsByGroupId })
      }
    }).pipe(Effect.provide(stage))
  )

  it.scoped("are told that they are in no group where only servers could be, and nothing where nobody could", () =>
    Effect.gen(function* () {
      const { experiment, assign } = yield* world
      assert.isNull(yield* assign({ playerIds: [7] }, "server-1"))
      const servers = yield* experiment({ unitType: "server" }, { status: "paused" })
      yield* experiment({}, { status: "terminated", terminatedAt: 1 })
      const known = { playerIds: [7], knownGroupIds: allOf(servers) }
      assert.deepStrictEqual(yield* assign(known, "server-1"), { targetType: "gameserver" })
      assert.isNull(yield* assign({ ...known, allowGameserverAssignment: false }, "server-1"))
    }).pipe(Effect.provide(stage))
  )

  it.scoped("get the base for a dropped group", () =>
    Effect.gen(function* () {
      const { experiment, assign } = yield* world
      const plain = yield* experiment()
      yield* experiment({}, { groups: plain.progress.groups.map((group) => ({ ...group, isDropped: true })) })
      const answer = yield* assign({})
      assert.deepStrictEqual(
        answer?.groups?.map(({ configs }) => configs.variables),
        [{ speed: 1 }, { speed: 1, bonus: 2 }, { speed: 1 }, { speed: 1 }]
      )
    }).pipe(Effect.provide(stage))
  )

  it.scoped("get the names of groups by configuration, each player once, without those in none", () =>
    Effect.gen(function* () {
      const { experiment, assignment, follow } = yield* world
      const one = yield* experiment()
      follow({ "7": [[one, 1]], "8": [[one, 0]] })
      assert.deepStrictEqual(yield* assignment(["8", "7", "9", "8"]), [
        { id: "8", experimentId: one.id, group: "control" },
        { id: "7", experimentId: one.id, group: "bonus" }
      ])
    }).pipe(Effect.provide(stage))
  )
})
