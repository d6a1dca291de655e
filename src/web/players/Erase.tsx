import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import type { Answer } from "../api/Wire.ts"
import { call } from "../api/client.ts"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { Button } from "../ui/Button.tsx"
import { Callout } from "../ui/States.tsx"
import type { PlayerRecord } from "./PlayerQueries.ts"
import { useModal } from "../ui/dialogs/useModal.ts"
import "../theme/dialog.css"

interface Props {
  readonly player: PlayerRecord
  readonly onErased: (erased: Answer<"players.erase">) => void
  readonly onClose: () => void
}

/** Asks for the id before a player is erased, which nothing undoes. */
export const Erase = ({ player, onErased, onClose }: Props) => {
  const { applicationId, environmentId, environment } = useProject()
  const { unitId, markerCount, cohorts, assignments } = player
  const dialog = useModal()
  const [typed, setTyped] = useState("")
  const erase = useMutation({
    mutationFn: () => call("players.erase", { path: { applicationId, unitId }, environment: environmentId }),
    onSuccess: onErased
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed === unitId) erase.mutate()
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="erase" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="erase">Erase this player from {environment.name}?</h2>
        <p>This deletes for good, also from the files on disk:</p>
        <ul className="erase-list">
          <li>{countText(markerCount, "marker")}, and the profile made of them</li>
          <li>membership in {countText(cohorts.length, "cohort")}, and in those the player has left</li>
          <li>{countText(assignments.length, "assignment")} to experiments</li>
          <li>clicks on deeplinks that led to the player</li>
        </ul>
        <p className="faint">
          Numbers of the past change accordingly. Older markers of this id are refused if the game sends them again.
          Nothing undoes this.
        </p>
        <label className="field">
          Type the id to confirm
          <input
            autoComplete="off"
            spellCheck={false}
            aria-describedby="erase-id"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <code id="erase-id" className="player-id">
          {unitId}
        </code>
        {erase.error !== null && <Callout tone="bad">{erase.error.message}</Callout>}
        <div className="row">
          <Button type="submit" className="button button-danger" disabled={typed !== unitId || erase.isPending}>
            {erase.isPending ? "Erasing …" : "Erase the player"}
          </Button>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Keep
          </button>
        </div>
      </form>
    </dialog>
  )
}
