import type { KeyboardEvent } from "react"
import { useEffect, useId, useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { useModal } from "../ui/dialogs/useModal.ts"
import type { Command } from "./Commands.ts"
import { matching } from "./Commands.ts"
import { useCommands } from "./useCommands.ts"
import "../theme/palette.css"

interface Props {
  readonly onClose: () => void
  readonly onShortcuts: () => void
}

const moves: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** One field that leads everywhere: type a few letters, choose with the arrows, Enter goes there. */
export const Palette = ({ onClose, onShortcuts }: Props) => {
  const dialog = useModal("any")
  const id = useId()
  const [typed, setTyped] = useState("")
  const [at, setAt] = useState(0)
  const commands = matching(useCommands(typed, onShortcuts), typed)
  const active = Math.min(at, commands.length - 1)
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" })
  }, [active, id])
  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    dialog.current?.close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (move !== undefined) {
      event.preventDefault()
      setAt((active + move + commands.length) % Math.max(1, commands.length))
    }
    if (event.key === "Enter") {
      event.preventDefault()
      choose(commands[active])
    }
  }
  return (
    <dialog className="palette" ref={dialog} aria-label="Go to" onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Page, question, marker, player …"
          aria-expanded={commands.length > 0}
          aria-controls={id}
          aria-activedescendant={commands.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          placeholder="Page, question, marker, experiment, id of a player …"
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
        />
      </div>
      {commands.length === 0 && <p className="palette-nothing">Nothing is called “{typed}”</p>}
      <div id={id} className="palette-list" role="listbox" aria-label="Places">
        {commands.map((command, index) => (
          <div
            key={command.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={command.group === commands[index - 1]?.group ? "" : "palette-first"}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
            onKeyDown={onKeyDown}
          >
            <span className="palette-group">{command.group}</span>
            <Icon name={command.icon} />
            <span className="palette-name">{command.name}</span>
            {command.hint !== undefined && <small>{command.hint}</small>}
          </div>
        ))}
      </div>
    </dialog>
  )
}
