import { useState } from "react"
import { dayStart } from "../builder/Period.ts"
import { PlayerLink } from "../players/PlayerLink.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { csvOf } from "../../domain/analytics/table/Csv.ts"
import { download } from "../text/Download.ts"
import { countText } from "../text/Numbers.ts"
import { hourText, zonedText } from "../text/Times.ts"
import { Icon } from "../ui/Icon.tsx"
import { Moment } from "../ui/Moment.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { cohortCodec } from "./CohortState.ts"
import type { Cohort } from "./CohortQueries.ts"
import { useMembers, useMembership } from "./CohortQueries.ts"
import { stateOf } from "./CohortWords.ts"
import { useSettled } from "../ui/useSettled.ts"

/** Milliseconds without a key press after which a player is looked up. */
const patience = 400

/** Whether one player is a member, since when, or until when. */
const Lookup = ({ cohort }: { readonly cohort: Cohort }) => {
  const { timezone } = useProject()
  const [typed, setTyped] = useState("")
  const asked = useSettled(typed.trim(), patience)
  const membership = useMembership(useWhere(), cohort.id, asked)
  const { data } = membership
  const at = (instant: string) => zonedText(instant, timezone, timezone, hourText)
  const answer =
    asked === "" || data === undefined
      ? ""
      : data.isMember
        ? `is a member${data.enteredAt === null ? "" : ` since ${at(data.enteredAt)}`}`
        : data.leftAt === null
          ? "was never a member"
          : `left at ${at(data.leftAt)}`
  return (
    <label className="field-inline">
      Look up
      <input
        className="input"
        value={typed}
        placeholder="exact player id"
        onChange={(event) => setTyped(event.target.value)}
      />
      <span aria-live="polite">{membership.error?.message ?? answer}</span>
    </label>
  )
}

/** Who belongs, a page at a time, now or at the end of an earlier day. */
export const Members = ({ cohort }: { readonly cohort: Cohort }) => {
  const { timezone } = useProject()
  const where = useWhere()
  const [{ day }, change] = useUrlState(cohortCodec)
  const members = useMembers(where, cohort.id, cohort.computedAt, day === "" ? undefined : dayStart(day, timezone, 1))
  const items = members.data?.pages.flatMap((page) => page.items) ?? []
  const save = () =>
    download(
      "members.csv",
      "text/csv",
      csvOf([["player", "member since"], ...items.map(({ unitId, enteredAt }) => [unitId, enteredAt])])
    )
  return (
    <section className="card" aria-label="Members">
      <h2>Members</h2>
      <div className="toolbar">
        <label className="field-inline">
          At the end of
          <input
            className="input"
            type="date"
            value={day}
            onChange={({ target: { value } }) => change((state) => ({ ...state, day: value }), { replace: true })}
          />
        </label>
        <Lookup cohort={cohort} />
        <span className="toolbar-end">
          <button type="button" className="button button-small" disabled={items.length === 0} onClick={save}>
            <Icon name="down" size={14} />
            CSV of these {items.length}
          </button>
        </span>
      </div>
      {members.data === undefined ? (
        members.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={members.error} retry={() => void members.refetch()} />
        )
      ) : items.length === 0 ? (
        <Empty title={stateOf(cohort) === "collecting" ? "The first members are being collected" : "Nobody belongs"}>
          {day === "" ? "Players are listed here as soon as they belong." : "Nobody belonged at the end of this day."}
        </Empty>
      ) : (
        <>
          <div className="table-box table-tall" role="region" aria-label="List of members" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Player</th>
                  <th scope="col">Member since</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ unitId, enteredAt }) => (
                  <tr key={unitId}>
                    <th scope="row">
                      <PlayerLink unitId={unitId} />
                    </th>
                    <td>
                      <Moment at={enteredAt} as="weekday" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <ShowMore list={members}>Show more than {countText(items.length, "player")}</ShowMore>
        </>
      )}
    </section>
  )
}
