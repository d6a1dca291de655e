import { Effect } from "effect"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import type { ListingAnswer, ListingCursor, ListingPlan } from "../../../domain/analytics/question/Question.ts"
import { integerLiteral } from "../Literals.ts"
import { eventOfRow, markerColumns, type MarkerRow } from "../MarkerRows.ts"
import { scopes } from "./Scope.ts"
import type { Telling } from "./Telling.ts"
import type { Ground } from "./Where.ts"

const beyond = ({ timestamp, sequence, asOf }: ListingCursor): string =>
  `(marker.at, marker.sequence) < (${integerLiteral(timestamp)}, toUInt64(${sequence})) and marker.sequence <= ${asOf}`

/** The highest sequence that a page and those after it may show: that of the environment when the first one was asked for. */
const highestOf = ({ after }: ListingPlan, { highest }: Ground): number => after?.asOf ?? highest

/** The same page where `next` was made of the few markers that were read for it. */
export const asOfAll = (answer: ListingAnswer, plan: ListingPlan, ground: Ground): ListingAnswer => ({
  ...answer,
  next: answer.next === null ? null : { ...answer.next, asOf: highestOf(plan, ground) }
})

/** One page of markers, newest first. */
export const listingInSql = (plan: ListingPlan, { rows, where, conditions, ground }: Telling) =>
  Effect.gen(function* () {
    const { after, limit } = plan
    const filter = yield* conditions.filter(plan.filter)
    const found = yield* rows<MarkerRow>(
      `select ${markerColumns} from marker where ${where(scopes.listing(plan))} and ${filter} and ${after === null ? "true" : beyond(after)}
        order by marker.at desc, marker.sequence desc limit ${limit + 1}`
    )
    const items: ReadonlyArray<StoredEvent> = found.slice(0, limit).map((row) => eventOfRow(row, ground.idsFrom))
    const last = items.at(-1)
    const answer: ListingAnswer = {
      items,
      next:
        found.length <= limit || last === undefined
          ? null
          : { timestamp: last.timestamp, sequence: last.sequence, asOf: highestOf(plan, ground) }
    }
    return { answer, markers: found.length }
  })
