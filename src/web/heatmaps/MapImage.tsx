import type { ReactNode } from "react"

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
export const MapImage = ({ image, aspect, children, onBox }: Props) => (
  <div className="map-frame">
    <div
      className={image === null ? "map map-blank" : "map"}
      ref={(element) => {
        element?.style.setProperty("--aspect", String(Math.min(8, Math.max(0.125, aspect || 1))))
        onBox?.(element)
      }}
    >
      {image !== null && (
        <img
          src={image}
          alt=""
          draggable={false}
          onLoad={({ currentTarget }) => {
            const { naturalWidth, naturalHeight, parentElement } = currentTarget
            if (naturalHeight > 0) parentElement?.style.setProperty("--aspect", String(naturalWidth / naturalHeight))
          }}
        />
      )}
      {children}
    </div>
  </div>
)
