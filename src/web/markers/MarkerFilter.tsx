import { useEffect, useRef } from "react"
import { Link } from "wouter"
import type { Where } from "../api/queries.ts"
import { useMarkerTypes } from "../api/queries.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useFieldText } from "../ui/useFieldText.ts"
import { joinParts } from "../url/Parts.ts"
import type { Filter } from "./useLiveRows.ts"

/** Milliseconds after the last letter at which a typed id counts. */
const typingFor = 300

interface Props {
  readonly where: Where
  readonly filter: Filter
  readonly me: string
  /** Address of the environment's pages. */
  readonly home: string
  readonly onChange: (filter: Partial<Filter>, options?: { readonly replace: boolean }) => void
  readonly onMe: (id: string) => void
}

/** Which markers are shown: of a type, of a player, or of oneself while the game runs. */
export const MarkerFilter = ({ where, filter, me, home, onChange, onMe }: Props) => {
  const types = useMarkerTypes(where)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const player = useFieldText(filter.unit)
  useEffect(() => () => clearTimeout(timer.current), [])
  const typed = (act: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(act, typingFor)
  }
  const isMine = me !== "" && filter.unit === me
  return (
    <div className="toolbar">
      <label className="field-inline">
        Type
        <select className="input" value={filter.type} onChange={(event) => onChange({ type: event.target.value })}>
          <option value="">every type</option>
          {filter.type !== "" && types.data?.every(({ name }) => name !== filter.type) === true && (
            <option value={filter.type}>{filter.type}</option>
          )}
          {types.data?.map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName ?? name}
            </option>
          ))}
        </select>
      </label>
      <label className="field-inline">
        Player
        <input
          ref={player}
          className="input"
          defaultValue={filter.unit}
          placeholder="exact id"
          onChange={({ target }) => typed(() => onChange({ unit: target.value.trim() }, { replace: true }))}
        />
      </label>
      <label className="field-inline">
        Who am I
        <input
          className="input"
          defaultValue={me}
          placeholder="my test player's id"
          onChange={({ target }) => onMe(target.value.trim())}
        />
      </label>
      <DeniableButton
        denied={me === "" ? "Say first who you are: the id that your game sends for you" : null}
        look="button-small"
        isPressed={isMine}
        onClick={() => onChange({ unit: isMine ? "" : me })}
      >
        Only mine
      </DeniableButton>
      {filter.type !== "" && (
        <Link
          className="button button-small"
          href={`${home}/insights?m=${encodeURIComponent(joinParts([filter.type, "totalEvents"]))}`}
        >
          <Icon name="chart" size={14} />
          Chart of {filter.type}
        </Link>
      )}
    </div>
  )
}
