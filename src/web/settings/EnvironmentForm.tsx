import { useState } from "react"
import { call } from "../api/client.ts"
import { useMarkerTypes } from "../api/queries.ts"
import type { Environment } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { fieldText } from "../text/Form.ts"
import { Icon } from "../ui/Icon.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { useChange } from "./AccessQueries.ts"
import { SaveRow } from "./SaveRow.tsx"

/** Most days that markers can be kept. */
const mostDays = 36_500

interface OwnDays {
  readonly key: number
  readonly type: string
  readonly days: string
}

type Days = Environment["markerRetentionDays"]

const isSameDays = (left: Days, right: Days): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([type, days]) => right[type] === days)

/** Theirs with what was changed here: who adds a type would else take away the days of another, whose markers would go. */
const mergedDays = (begun: Days, typed: Days, theirs: Days): Days => {
  const isMine = ([type]: readonly [string, number]) => begun[type] !== typed[type]
  const others = Object.entries(theirs).filter((each) => !isMine(each))
  return Object.fromEntries([...others, ...Object.entries(typed).filter(isMine)])
}

interface Props {
  readonly environment: Environment
  readonly onClose: () => void
}

/** Name and alias of an environment, and how long it keeps its markers. */
export const EnvironmentForm = ({ environment, onClose }: Props) => {
  const { applicationId } = useProject()
  const types = useMarkerTypes({ applicationId, environmentId: environment.id })
  const [own, setOwn] = useState<ReadonlyArray<OwnDays>>(() =>
    Object.entries(environment.markerRetentionDays).map(([type, days], key) => ({ key, type, days: String(days) }))
  )
  const isProduction = environment.alias === "production"
  // What was typed alone is sent: a rename would else take back for how long somebody else keeps markers meanwhile, and they would go.
  const [begun] = useState(environment)
  const save = useChange(
    async (form: FormData) => {
      const [name, alias, days] = [fieldText(form, "name"), fieldText(form, "alias"), fieldText(form, "days")]
      const retentionDays = days === "" ? null : Number(days)
      const ownDays = Object.fromEntries(own.map((each) => [each.type.trim(), Number(each.days)]))
      const isSame = isSameDays(ownDays, begun.markerRetentionDays)
      const present = isSame ? [] : await call("environments.list", { path: { applicationId } })
      const theirs = present.find(({ id }) => id === begun.id)?.markerRetentionDays ?? begun.markerRetentionDays
      return call("environments.update", {
        path: { applicationId, environmentId: environment.id },
        body: {
          ...(name === begun.name ? {} : { name }),
          ...(isProduction || alias === begun.alias ? {} : { alias }),
          ...(retentionDays === begun.retentionDays ? {} : { retentionDays }),
          ...(isSame ? {} : { markerRetentionDays: mergedDays(begun.markerRetentionDays, ownDays, theirs) })
        }
      })
    },
    ["environments"],
    onClose
  )
  const [twice, setTwice] = useState<string>()
  const change = (key: number, next: Partial<OwnDays>) =>
    setOwn(own.map((each) => (each.key === key ? { ...each, ...next } : each)))
  return (
    <Sheet title={`Change ${environment.name}`} onClose={onClose}>
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          // Of two lines that say different days of a type one alone would be sent, and it decides what is deleted.
          const again = own.map(({ type }) => type.trim()).find((type, at, all) => all.indexOf(type) !== at)
          setTwice(again)
          if (again === undefined) save.mutate(new FormData(event.currentTarget))
        }}
      >
        <label className="field">
          Name
          <input name="name" required maxLength={100} autoComplete="off" defaultValue={environment.name} />
        </label>
        <label className="field">
          Alias
          <input
            name="alias"
            required
            maxLength={64}
            autoComplete="off"
            defaultValue={environment.alias}
            disabled={isProduction}
          />
          <small>
            {isProduction
              ? "Production keeps its alias: games find it by that."
              : "Games find the environment by it: those that name the old one are refused."}
          </small>
        </label>
        <label className="field">
          Days markers are kept
          <input
            name="days"
            type="number"
            min={1}
            max={mostDays}
            defaultValue={environment.retentionDays ?? ""}
            placeholder="As long as the server says"
          />
          <small>
            Older markers are in no answer at once, and off the disk within a day. Nothing brings them back.
          </small>
        </label>
        <fieldset className="own-days">
          <legend>Types that are kept otherwise</legend>
          {own.map(({ key, type, days }) => (
            <div key={key} className="own-days-row">
              <input
                className="input"
                aria-label="Type of marker"
                required
                maxLength={128}
                list="types"
                autoComplete="off"
                value={type}
                onChange={({ currentTarget }) => change(key, { type: currentTarget.value })}
              />
              <input
                className="input"
                aria-label={`Days ${type === "" ? "it" : type} is kept`}
                required
                type="number"
                min={1}
                max={mostDays}
                value={days}
                onChange={({ currentTarget }) => change(key, { days: currentTarget.value })}
              />
              <span>days</span>
              <RemoveButton
                label={`Keep ${type === "" ? "it" : type} like the others`}
                onRemove={() => setOwn(own.filter((each) => each.key !== key))}
              />
            </div>
          ))}
          <datalist id="types">
            {types.data?.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <button
            type="button"
            className="button button-small"
            onClick={() =>
              setOwn([...own, { key: Math.max(-1, ...own.map(({ key }) => key)) + 1, type: "", days: "" }])
            }
          >
            <Icon name="plus" size={14} />
            Add a type
          </button>
        </fieldset>
        <SaveRow
          error={twice === undefined ? save.error : new Error(`${twice} has two lines here: leave one of them.`)}
          isPending={save.isPending}
          isSaved={false}
          denied={null}
        />
      </form>
    </Sheet>
  )
}
