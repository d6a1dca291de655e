import type { ReactNode } from "react"
import { useState } from "react"

interface Props {
  /** Address of the image; null where the map has none. */
  readonly image: string | null
  /** Width of the world on the image divided by its depth, for maps without an image. */
  readonly aspect: number
  readonly children: ReactNode
  /** Hears of the element that the image fills. */
  readonly onBox?: (element: HTMLDivElement | null) => void
}

/** The map seen from above; what lies on it takes its whole size. */
export const MapImage = ({ image, aspect, children, onBox }: Props) => {
  const [loaded, setLoaded] = useState<{ readonly image: string; readonly aspect: number } | null>(null)
  const shape = loaded !== null && loaded.image === image ? loaded.aspect : aspect || 1
  return (
    <div className="map-frame">
      <div
        className={image === null ? "map map-blank" : "map"}
        ref={(element) => {
          element?.style.setProperty("--aspect", String(Math.min(8, Math.max(0.125, shape))))
          onBox?.(element)
        }}
      >
        {image !== null && (
          <img
            src={image}
            alt=""
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              if (naturalHeight > 0) setLoaded({ image, aspect: naturalWidth / naturalHeight })
            }}
          />
        )}
        {children}
      </div>
    </div>
  )
}
