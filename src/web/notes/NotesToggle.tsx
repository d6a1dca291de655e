import { showNotes, useAreNotesShown } from "./Shown.ts"

/** Whether charts note what changed the game; the browser remembers it. */
export const NotesToggle = () => (
  <label className="check">
    <input
      type="checkbox"
      checked={useAreNotesShown()}
      onChange={({ currentTarget }) => showNotes(currentTarget.checked)}
    />
    Notes
  </label>
)
