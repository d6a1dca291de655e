import { Effect, Schema } from "effect"
import { BoardDefinition } from "../../../schema/analytics/Boards.ts"
import { HeatmapDefinition } from "../../../schema/analytics/Heatmaps.ts"
import { SavedQueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import { demoMap, mapReach } from "../../domain/demo/DemoMap.ts"
import type { ApplicationId, HeatmapId, QueryId } from "../../domain/Ids.ts"
import { Boards } from "../analytics/Boards.ts"
import { Heatmaps } from "../analytics/Heatmaps.ts"
import { SavedQueries } from "../analytics/SavedQueries.ts"
import type { Studio } from "./DemoStudio.ts"

const days = (value: number) => ({ step: "day", relative: { step: "day", value } }) as const

const byPlatform = [{ source: "property", name: "platform" }] as const

const island = {
  name: "The island",
  description: "Seen from above; north is up",
  bounds: {
    pointA: { x: -mapReach, y: 0, z: -mapReach },
    pointB: { x: mapReach, y: 64, z: mapReach }
  },
  resolutionFactor: 1
}

type Question = typeof SavedQueryDefinition.Encoded

const questions = {
  players: {
    name: "Players a day",
    queryType: "insight",
    spec: { time: days(30), metrics: [{ id: "A", data: { type: "uniqueUsers", name: "Login" } }] }
  },
  platforms: {
    name: "Players a day, by platform",
    queryType: "insight",
    spec: {
      time: days(30),
      metrics: [{ id: "A", data: { type: "uniqueUsers", name: "Login" } }],
      breakdowns: byPlatform
    }
  },
  revenue: {
    name: "Revenue a day",
    queryType: "insight",
    spec: { time: days(30), metrics: [{ id: "A", data: { type: "sum", name: "Purchase", argument: "price" } }] }
  },
  perBuyer: {
    name: "Revenue of a buyer",
    queryType: "insight",
    spec: {
      time: days(30),
      metrics: [
        { id: "A", visible: false, data: { type: "sum", name: "Purchase", argument: "price" } },
        { id: "B", visible: false, data: { type: "uniqueUsers", name: "Purchase" } },
        { id: "C", data: { type: "formula", name: "Revenue of a buyer", formula: "A / B" } }
      ]
    }
  },
  sessions: {
    name: "Median length of a session, in seconds",
    queryType: "insight",
    spec: { time: days(30), metrics: [{ id: "A", data: { type: "median", name: "Logout", argument: "seconds" } }] }
  },
  deaths: {
    name: "What players die of",
    queryType: "insight",
    spec: {
      time: days(14),
      metrics: [{ id: "A", data: { type: "totalEvents", name: "PlayerDied" } }],
      breakdowns: [{ source: "argument", name: "cause" }]
    }
  },
  firstPurchase: {
    name: "From the install to the first purchase",
    queryType: "funnel",
    spec: {
      time: days(30),
      steps: [
        { id: "install", name: "Install" },
        { id: "tutorial", name: "TutorialCompleted" },
        { id: "level", name: "LevelCompleted" },
        { id: "shop", name: "ShopOpened" },
        { id: "purchase", name: "Purchase" }
      ],
      conversionWindow: { step: "day", value: 7 }
    }
  },
  coming: {
    name: "Who comes back after the install",
    queryType: "retention",
    spec: {
      time: days(30),
      start: { name: "Install" },
      return: { name: "Login" },
      interval: "day",
      intervals: 14,
      startMode: "firstTime"
    }
  }
} as const satisfies Record<string, Question>

type Names = keyof typeof questions

const mapOfDeaths = (id: HeatmapId): Question => ({
  name: "Where players die",
  queryType: "heatmap",
  spec: {
    time: days(14),
    metrics: [{ id: "A", data: { type: "totalEvents", name: "PlayerDied" } }],
    heatmapData: { id },
    options: { display: "count" }
  }
})

/** The demo's saved questions, the boards that show them, and a map of where players die. */
export class DemoQuestions extends Effect.Service<DemoQuestions>()("services/demo/DemoQuestions", {
  effect: Effect.gen(function* () {
    const boards = yield* Boards
    const heatmaps = yield* Heatmaps
    const queries = yield* SavedQueries

    const save = Effect.fnUntraced(function* (applicationId: ApplicationId, question: Question) {
      return (yield* queries.create(applicationId, yield* Schema.decode(SavedQueryDefinition)(question))).id
    })

    const playMap = Effect.fnUntraced(function* (applicationId: ApplicationId) {
      const { id } = yield* heatmaps.create(applicationId, yield* Schema.decode(HeatmapDefinition)(island))
      yield* heatmaps.putImage(applicationId, id, Effect.sync(demoMap))
      return yield* save(applicationId, mapOfDeaths(id))
    })

    const makeBoard = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      board: typeof BoardDefinition.Encoded
    ) {
      yield* boards.create(applicationId, yield* Schema.decode(BoardDefinition)(board))
    })

    const playBoards = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      ids: Readonly<Record<Names, QueryId>>,
      map: QueryId
    ) {
      yield* makeBoard(applicationId, {
        name: "Money",
        description: "What players spend, and who they are",
        tiles: [
          { queryId: ids.revenue, x: 0, y: 0, w: 8, h: 4, display: "bars" },
          { queryId: ids.perBuyer, x: 8, y: 0, w: 4, h: 4, display: "number" },
          { queryId: ids.firstPurchase, x: 0, y: 4, w: 12, h: 5 }
        ]
      })
      yield* makeBoard(applicationId, {
        name: "Every morning",
        description: "What the team looks at first",
        tiles: [
          { queryId: ids.players, x: 0, y: 0, w: 4, h: 3, display: "line" },
          { queryId: ids.revenue, x: 4, y: 0, w: 4, h: 3, display: "bars" },
          { queryId: ids.sessions, x: 8, y: 0, w: 4, h: 3, display: "line" },
          { queryId: ids.platforms, x: 0, y: 3, w: 8, h: 4, display: "area" },
          { queryId: ids.deaths, x: 8, y: 3, w: 4, h: 4, display: "totalBars" },
          { queryId: ids.coming, x: 0, y: 7, w: 7, h: 5 },
          { queryId: map, x: 7, y: 7, w: 5, h: 5 }
        ],
        time: days(14),
        pinned: true
      })
    })

    /** Where no question is saved yet. */
    const play = Effect.fnUntraced(function* ({ applicationId }: Studio) {
      if ((yield* queries.list(applicationId, { limit: 1 })).items.length > 0) return
      const map = yield* playMap(applicationId)
      const ids = yield* Effect.all({
        players: save(applicationId, questions.players),
        platforms: save(applicationId, questions.platforms),
        revenue: save(applicationId, questions.revenue),
        perBuyer: save(applicationId, questions.perBuyer),
        sessions: save(applicationId, questions.sessions),
        deaths: save(applicationId, questions.deaths),
        firstPurchase: save(applicationId, questions.firstPurchase),
        coming: save(applicationId, questions.coming)
      })
      yield* playBoards(applicationId, ids, map)
    })

    return { play } as const
  })
}) {}
