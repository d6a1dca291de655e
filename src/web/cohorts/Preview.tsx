import { PlayerLink } from "../players/PlayerLink.tsx"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { Moment } from "../ui/Moment.tsx"
import { usePreview } from "./CohortQueries.ts"
import type { Definition } from "./Rules.ts"
import { useSettled } from "../ui/useSettled.ts"

/** Milliseconds without a change after which the players are counted. */
const patience = 400

/** How many players would belong now, and some of them. */
export const Preview = ({ definition }: { readonly definition: Definition | null }) => {
  const { applicationId, environmentId } = useProject()
  const settled = useSettled(definition, patience)
  const preview = usePreview({ applicationId, environmentId }, settled)
  const isCurrent = JSON.stringify(settled) === JSON.stringify(definition) && !preview.isFetching
  if (definition === null) {
    return <p className="faint">As soon as each condition is finished, the players who meet them are counted here.</p>
  }
  if (preview.error !== null) {
    return (
      <p className="form-error" role="alert">
        {preview.error.message}
      </p>
    )
  }
  const { data } = preview
  return (
    <div className="preview" aria-busy={!isCurrent}>
      <p className="preview-count" aria-live="polite">
        {data === undefined ? (
          <span className="faint">Counting …</span>
        ) : (
          <>
            <b>{numberText(data.count)}</b> {data.count === 1 ? "player" : "players"}
            {!isCurrent && <span className="faint"> counting again …</span>}
          </>
        )}
      </p>
      {data !== undefined && (
        <>
          <small className="faint">
            as of <Moment at={data.asOf} as="clock" />
          </small>
          {data.sample.length > 0 && (
            <>
              <h3>{data.count > data.sample.length ? `${numberText(data.sample.length)} of them` : "These"}</h3>
              <ul className="preview-sample">
                {data.sample.map((unitId) => (
                  <li key={unitId}>
                    <PlayerLink unitId={unitId} />
                  </li>
                ))}
              </ul>
            </>
          )}
          {data.count === 0 && isCurrent && (
            <p className="faint">
              Nobody meets these conditions now. The cohort can be kept: players join when they do.
            </p>
          )}
        </>
      )}
    </div>
  )
}
