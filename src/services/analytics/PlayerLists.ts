import { DateTime, Effect, Encoding } from "effect"
import { CursorInvalid } from "../../../schema/RequestErrors.ts"
import { QueryInvalid, ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { PlayerPage, PlayersQuery } from "../../../schema/analytics/Players.ts"
import { playerCursorText, playerPlaceOf } from "../../domain/analytics/players/PlayerCursor.ts"
import type { ListedPlayer } from "../../domain/analytics/players/PlayersPlan.ts"
import { planPlayers, standardDirection } from "../../domain/analytics/players/PlayersRequest.ts"
import { cohortReferences } from "../../domain/cohorts/CohortReferences.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { answered, complete } from "./QueryFailure.ts"
import { References } from "./References.ts"

/** What a list asks for, whatever the page and whatever is shown of each player: its cursors go on with nothing else. */
const questionText = (environmentId: EnvironmentId, query: PlayersQuery) => {
  const { search = "", cohortId = null, filters = [], match, sort, direction = standardDirection(sort) } = query
  return JSON.stringify([environmentId, search, cohortId, filters, match, sort, direction])
}

const startOf = ({ cursor }: PlayersQuery, question: string) =>
  cursor === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        playerPlaceOf(cursor, question),
        () => new CursorInvalid({ message: "cursor: expected the nextCursor of a page of the same question" })
      )

const shown = ({ firstSeenAt, lastSeenAt, ...player }: ListedPlayer) => ({
  ...player,
  firstSeenAt: DateTime.unsafeMake(firstSeenAt),
  lastSeenAt: DateTime.unsafeMake(lastSeenAt)
})

/** The players of an environment, page by page. Asks for no permission: its caller does. */
export class PlayerLists extends Effect.Service<PlayerLists>()("services/analytics/PlayerLists", {
  effect: Effect.gen(function* () {
    const references = yield* References
    const secrets = yield* Secrets
    const store = yield* EventStore

    const page = Effect.fnUntraced(function* (environmentId: EnvironmentId, query: PlayersQuery) {
      const question = Encoding.encodeBase64Url(secrets.fingerprint(questionText(environmentId, query))).slice(0, 16)
      const after = yield* startOf(query, question)
      const plan = yield* Effect.mapError(planPlayers(query, after), ({ kind, message }) =>
        kind === "invalid" ? new QueryInvalid({ message }) : new ReferenceInvalid({ message })
      )
      yield* references.demand(environmentId, cohortReferences(plan.who))
      const { answer } = yield* complete(answered(store.ask<"players">(environmentId, { kind: "players", plan })))
      const { items, hasMore } = answer
      const last = items.at(-1)
      return {
        items: items.map(shown),
        nextCursor: hasMore && last !== undefined ? playerCursorText(last, question) : null
      } satisfies PlayerPage
    })

    return { page } as const
  })
}) {}
