import type { KeyboardEvent, PointerEvent } from "react"
import { useRef } from "react"
import { percentText } from "../text/Numbers.ts"
import { MapImage } from "./MapImage.tsx"
import { meaningOf } from "../ui/Keys.ts"

/** A place of the image, as shares of its sides from the upper left. */
export interface ImagePlace {
  readonly across: number
  readonly down: number
}

interface Props {
  readonly image: string | null
  readonly aspect: number
  readonly places: readonly [ImagePlace, ImagePlace]
  readonly onMove: (corner: 0 | 1, place: ImagePlace) => void
}

const letters = ["A", "B"] as const

/** The part of a side that an arrow moves a corner by; a tenth of it with Shift. */
const stride = 0.01

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

const within = (share: number): number => Math.min(1, Math.max(0, Number(share.toFixed(4))))

/** Two marks on the image that are dragged, or moved by arrows, to places whose world coordinates are known. */
export const ImageCorners = ({ image, aspect, places, onMove }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const drag = (corner: 0 | 1) => (event: PointerEvent<HTMLButtonElement>) => {
    if (box.current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, top, width, height } = box.current.getBoundingClientRect()
    onMove(corner, {
      across: within((event.clientX - left) / width),
      down: within((event.clientY - top) / height)
    })
  }
  const onKeyDown = (corner: 0 | 1) => (event: KeyboardEvent) => {
    const move = meaningOf(moves, event)
    if (move === undefined) return
    event.preventDefault()
    const by = event.shiftKey ? stride / 10 : stride
    const { across, down } = places[corner]
    onMove(corner, { across: within(across + by * move[0]), down: within(down + by * move[1]) })
  }
  return (
    <MapImage
      image={image}
      aspect={aspect}
      onBox={(element) => {
        box.current = element
      }}
    >
      {([0, 1] as const).map((corner) => {
        const { across, down } = places[corner]
        return (
          <button
            key={corner}
            type="button"
            className="corner"
            aria-label={`Corner ${letters[corner]}: ${percentText(100 * across)} from the left, ${percentText(100 * down)} from the top`}
            ref={(element) => {
              element?.style.setProperty("--x", `${100 * across}%`)
              element?.style.setProperty("--y", `${100 * down}%`)
            }}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag(corner)}
            onKeyDown={onKeyDown(corner)}
          >
            {letters[corner]}
          </button>
        )
      })}
    </MapImage>
  )
}
