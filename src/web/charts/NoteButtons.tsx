import type { KeyboardEvent } from "react"
import { useState } from "react"
import { Link } from "wouter"
import type { NotePlace } from "./NotePlaces.ts"
import { meaningOf, useEscape } from "../ui/Keys.ts"

interface Props {
  readonly places: ReadonlyArray<NotePlace>
  readonly width: number
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Notes of one place that are listed; more would leave the screen. */
const mostListed = 12

interface PlaceProps {
  readonly place: NotePlace
  readonly isAtTheRight: boolean
  readonly isReached: boolean
  readonly onReach: () => void
}

const Place = ({ place: { x, notes }, isAtTheRight, isReached, onReach }: PlaceProps) => {
  const [isOpen, open] = useState(false)
  const [isPinned, pin] = useState(false)
  const only = notes.length === 1 ? notes[0] : undefined
  const common = { tabIndex: isReached ? 0 : -1, className: "note-button", "data-note": "" }
  const close = () => {
    open(false)
    pin(false)
  }
  useEscape(isOpen, close)
  return (
    <li
      ref={(element) => element?.style.setProperty("--x", `${x}px`)}
      onMouseEnter={() => open(true)}
      onMouseLeave={() => open(isPinned)}
      onFocus={() => {
        onReach()
        open(true)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      {only === undefined ? (
        <button
          type="button"
          {...common}
          aria-expanded={isOpen}
          aria-label={`${notes.length} notes: ${notes[0]?.detail} to ${notes.at(-1)?.detail}`}
          onClick={() => {
            pin(!isPinned)
            open(!isPinned)
          }}
        />
      ) : (
        <Link href={only.address} {...common} aria-label={`${only.text}, ${only.detail}`} />
      )}
      {isOpen && (
        <div className={isAtTheRight ? "note-tip note-tip-left" : "note-tip"}>
          <ul>
            {notes.slice(0, mostListed).map((note) => (
              <li key={`${note.at} ${note.text}`}>
                {only === undefined ? <Link href={note.address}>{note.text}</Link> : <b>{note.text}</b>}
                <small>{note.detail}</small>
              </li>
            ))}
          </ul>
          {notes.length > mostListed && <p className="faint">and {notes.length - mostListed} more</p>}
        </div>
      )}
    </li>
  )
}

/** What the notes of a chart say to who points at them or comes to them with the keyboard: one stop of Tab, arrows between them. */
export const NoteButtons = ({ places, width }: Props) => {
  const [reached, reach] = useState(0)
  if (places.length === 0) return null
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = meaningOf(steps, event)
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-note]")]
    buttons[(Math.min(reached, places.length - 1) + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    <ul className="note-buttons" aria-label="What changed the game" onKeyDown={move}>
      {places.map((place, index) => (
        <Place
          key={place.x}
          place={place}
          isAtTheRight={place.x > width / 2}
          isReached={index === Math.min(reached, places.length - 1)}
          onReach={() => reach(index)}
        />
      ))}
    </ul>
  )
}
