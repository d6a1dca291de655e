import { useState } from "react"
import { presentShortcuts, switchShortcuts, useHasShortcuts } from "../shell/Shortcuts.ts"
import { useModal } from "../ui/dialogs/useModal.ts"
import "../theme/palette.css"

/** All keys that do something on this page. */
export const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useModal()
  const isOn = useHasShortcuts()
  const [shortcuts] = useState(presentShortcuts)
  return (
    <dialog className="palette shortcuts" ref={dialog} aria-labelledby="shortcuts" onClose={onClose}>
      <header>
        <h2 id="shortcuts">Shortcuts</h2>
        <button type="button" className="button button-small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <dl>
        {[{ keys: "Ctrl K or ⌘ K", words: "Go to a page, question, player …" }, ...shortcuts].map(({ keys, words }) => (
          <div key={keys}>
            <dt>{words}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => switchShortcuts(event.target.checked)} />
        Single keys do something in this browser
      </label>
    </dialog>
  )
}
