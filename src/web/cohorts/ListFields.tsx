import type { ChangeEvent, DragEvent } from "react"
import { useState } from "react"
import { countText, numberText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import type { PlayerList } from "./PlayerList.ts"
import { mostPlayers, playerListOf } from "./PlayerList.ts"

interface Props {
  readonly list: PlayerList | null
  readonly onChange: (list: PlayerList | null) => void
}

/** What is wrong with a list, so that it cannot be saved; null where nothing is. */
export const problemOfList = ({ ids, tooLong }: PlayerList): string | null =>
  ids.length === 0
    ? "There is no player in it."
    : ids.length > mostPlayers
      ? `It has ${numberText(ids.length)} players; a cohort holds at most ${numberText(mostPlayers)}.`
      : tooLong.length > 0
        ? `An id has at most 256 characters; longer ones are in line ${tooLong.slice(0, 5).join(", ")}${tooLong.length > 5 ? " and others" : ""}.`
        : null

/** What was read of the list. */
const Reading = ({ list }: { readonly list: PlayerList }) => {
  const problem = problemOfList(list)
  return (
    <div aria-live="polite">
      <p>
        <b>{countText(list.ids.length, "player")}</b>
        {list.repeated > 0 && `, ${countText(list.repeated, "repeated line")} left out`}
        {list.heading !== null && `, the heading “${list.heading}” passed over`}
      </p>
      {list.ids.length > 0 && (
        <p className="faint list-sample">
          {list.ids.slice(0, 5).join(", ")}
          {list.ids.length > 5 ? " …" : ""}
        </p>
      )}
      {problem !== null && (
        <p className="form-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** A list of players, pasted or from a file. */
export const ListFields = ({ list, onChange }: Props) => {
  const [isOver, setOver] = useState(false)
  const [text] = useState(() => list?.ids.join("\n") ?? "")
  const read = (file: File | undefined) => {
    if (file !== undefined) void file.text().then((text) => onChange(playerListOf(text)))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    read(event.dataTransfer.files[0])
  }
  return (
    <div
      className={isOver ? "list-drop list-over" : "list-drop"}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label className="field">
        Players
        <small>One id a line, or a CSV whose first column has the ids. They need not have sent markers yet.</small>
        <textarea
          className="input"
          rows={8}
          spellCheck={false}
          defaultValue={text}
          placeholder={"player-1\nplayer-2"}
          onChange={(event) => onChange(event.target.value.trim() === "" ? null : playerListOf(event.target.value))}
        />
      </label>
      <label className="button button-small list-file">
        <Icon name="down" size={14} />
        Choose a file, or drop it here
        <input
          className="unseen"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
            read(target.files?.[0])
            // The same file, mended meanwhile, is a choice too.
            target.value = ""
          }}
        />
      </label>
      {list !== null && <Reading list={list} />}
    </div>
  )
}
