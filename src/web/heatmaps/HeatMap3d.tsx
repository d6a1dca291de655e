import type { KeyboardEvent, PointerEvent } from "react"
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react"
import { useWidth } from "../charts/useWidth.ts"
import { isDark, onTheme } from "../theme/Theme.ts"
import { meaningOf, useEscape } from "../ui/Keys.ts"
import type { Bar } from "./Bars3d.ts"
import { barAt, barsOf, instancesOf } from "./Bars3d.ts"
import type { ScreenPlace, View } from "./Camera3d.ts"
import { cameraOf, changed, firstView, matrixOf, seenAt, twoFingers } from "./Camera3d.ts"
import { CellTip } from "./CellTip.tsx"
import type { MapProps } from "./FlatMap.tsx"
import { between } from "./Grid.ts"
import type { Scene } from "./Scene3d.ts"
import { sceneIn } from "./Scene3d.ts"

interface Props extends MapProps {
  /** The browser cannot draw it, or stopped to. */
  readonly onFail: () => void
}

/** Longest side of the map's image as a texture, in pixels. */
const largestTexture = 2048
/** Milliseconds in which the map turns into its place when it is first seen. */
const arrival = 900

const keys: Readonly<Record<string, Partial<View>>> = {
  ArrowLeft: { turn: -0.12 },
  ArrowRight: { turn: 0.12 },
  "[": { turn: -0.12 },
  "]": { turn: 0.12 },
  ArrowUp: { tilt: 0.08 },
  ArrowDown: { tilt: -0.08 },
  "+": { distance: 0.88 },
  "=": { distance: 0.88 },
  "-": { distance: 1 / 0.88 }
}

const buttons: ReadonlyArray<readonly [label: string, sign: string, by: Partial<View>]> = [
  ["Turn to the left", "↺", { turn: -0.3 }],
  ["Turn to the right", "↻", { turn: 0.3 }],
  ["Nearer", "+", { distance: 0.8 }],
  ["Farther", "−", { distance: 1.25 }]
]

/** The image, made smaller where it is larger than textures need to be. */
const textureOf = (image: HTMLImageElement): TexImageSource => {
  const { naturalWidth: width, naturalHeight: height } = image
  const share = Math.min(1, largestTexture / Math.max(width, height))
  if (share === 1) return image
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(width * share)
  canvas.height = Math.round(height * share)
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** The values as bars on the tilted map. It turns by drag, two fingers and keys, and comes nearer by wheel, pinch and keys. */
export const HeatMap3d = ({ label, image, grid, scale, describe, onChoose, onFail }: Props) => {
  const [box, width] = useWidth()
  const canvas = useRef<HTMLCanvasElement>(null)
  const scene = useRef<Scene | null>(null)
  const view = useRef(firstView)
  const pointers = useRef(new Map<number, ScreenPlace>())
  const moved = useRef(0)
  const help = useId()
  const [over, setOver] = useState<{ readonly bar: Bar; readonly at: readonly [number, number] } | null>(null)
  useEscape(over !== null, () => setOver(null))
  const bars = useMemo(() => barsOf(grid, scale), [grid, scale])
  const aspect = useCallback(() => {
    const { clientWidth = 1, clientHeight = 1 } = canvas.current ?? {}
    return clientWidth / Math.max(1, clientHeight)
  }, [])
  const draw = useCallback(
    () => scene.current?.draw(matrixOf(cameraOf(view.current, aspect())), isDark() ? 0.72 : 1),
    [aspect]
  )
  const look = useCallback(
    (by: Partial<View>) => {
      view.current = changed(view.current, by)
      setOver(null)
      draw()
    },
    [draw]
  )

  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const made = sceneIn(element)
    if (made === null) {
      onFail()
      return
    }
    scene.current = made
    const onLost = () => {
      if (scene.current !== null) onFail()
    }
    const onWheel = (event: WheelEvent) => {
      // The page goes on scrolling past a map that nobody has turned to.
      if (!event.ctrlKey && document.activeElement !== element) return
      event.preventDefault()
      look({ distance: Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.001)) })
    }
    element.addEventListener("webglcontextlost", onLost)
    element.addEventListener("wheel", onWheel, { passive: false })
    const forget = onTheme(draw)
    return () => {
      scene.current = null
      forget()
      element.removeEventListener("webglcontextlost", onLost)
      element.removeEventListener("wheel", onWheel)
      made.remove()
    }
  }, [draw, look, onFail])

  useEffect(() => {
    if (image === null) return
    const picture = new Image()
    picture.src = image
    void picture.decode().then(
      () => {
        scene.current?.setMap(textureOf(picture))
        draw()
      },
      () => undefined
    )
  }, [draw, image])

  useEffect(() => {
    scene.current?.setBars(instancesOf(bars, grid, scale))
    draw()
  }, [bars, draw, grid, scale])

  useEffect(() => {
    const element = canvas.current
    if (element === null || width === 0) return
    const density = Math.min(2, devicePixelRatio)
    element.width = Math.round(element.clientWidth * density)
    element.height = Math.round(element.clientHeight * density)
    draw()
  }, [draw, width])

  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return
    const began = performance.now()
    const rest = view.current.turn
    let frame = requestAnimationFrame(function turn(now) {
      const share = Math.min(1, (now - began) / arrival)
      if (pointers.current.size > 0 || moved.current > 0) return
      view.current = { ...view.current, turn: rest - 0.7 * (1 - share) ** 3 }
      draw()
      if (share < 1) frame = requestAnimationFrame(turn)
    })
    return () => cancelAnimationFrame(frame)
  }, [draw])

  const placeOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>) => {
    const { left, top, width: wide, height } = currentTarget.getBoundingClientRect()
    return [(clientX - left) / wide, (clientY - top) / height] as const
  }
  const find = (event: PointerEvent<HTMLCanvasElement>): Bar | null =>
    barAt(bars, cameraOf(view.current, aspect()), ...placeOf(event))
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const held = pointers.current
    const before = held.get(event.pointerId)
    if (before === undefined) {
      const bar = find(event)
      const at = bar === null ? null : seenAt(cameraOf(view.current, aspect()), [bar.x, bar.height, bar.z])
      setOver(bar === null || at === null ? null : { bar, at })
      return
    }
    const [x, y] = [event.clientX, event.clientY]
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1]
    held.set(event.pointerId, [x, y])
    moved.current += Math.abs(x - before[0]) + Math.abs(y - before[1])
    if (other === undefined) look({ turn: (before[0] - x) * 0.008, tilt: (y - before[1]) * 0.006 })
    else look(twoFingers(before, [x, y], other))
  }
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    pointers.current.delete(event.pointerId)
    if (moved.current > 4) return
    const bar = find(event)
    if (bar !== null) onChoose(between(bar.index, bar.index, grid.columns))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLCanvasElement>) => {
    const by = meaningOf(keys, event)
    if (by === undefined) return
    event.preventDefault()
    moved.current++
    look(by)
  }
  return (
    <div className="map-space-box" ref={box}>
      <canvas
        ref={canvas}
        className="map-space"
        role="img"
        aria-label={`${label}, in three dimensions`}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          if (pointers.current.size === 0) moved.current = 0
          pointers.current.set(event.pointerId, [event.clientX, event.clientY])
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={({ pointerId }) => pointers.current.delete(pointerId)}
        onPointerLeave={() => setOver(null)}
      />
      {over !== null && (
        <CellTip across={over.at[0]} down={over.at[1]}>
          {describe(over.bar.index)}
        </CellTip>
      )}
      <div className="map-space-keys">
        {buttons.map(([name, sign, by]) => (
          <button
            key={name}
            type="button"
            className="button button-icon"
            aria-label={name}
            title={name}
            onClick={() => look(by)}
          >
            <span aria-hidden="true">{sign}</span>
          </button>
        ))}
      </div>
      <p className="unseen" id={help}>
        Arrows or [ and ] turn it, up and down tilt it, plus and minus move it. The table beneath has the largest cells.
      </p>
    </div>
  )
}
