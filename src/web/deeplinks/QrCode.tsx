import { useRef, useState } from "react"
import { pngOf } from "../charts/Picture.ts"
import { download } from "../text/Download.ts"
import { Icon } from "../ui/Icon.tsx"
import { QrDrawing } from "../qr/QrDrawing.tsx"

interface Props {
  /** The address that the code leads to. */
  readonly address: string
  /** Names the files. */
  readonly name: string
}

/** Pixels of the side of a picture. */
const side = 512

/** The drawing as a file of its own. */
const fileOf = (drawing: SVGSVGElement): string => {
  const copy = drawing.cloneNode(true)
  if (copy instanceof Element) {
    copy.setAttribute("width", String(side))
    copy.setAttribute("height", String(side))
  }
  return new XMLSerializer().serializeToString(copy)
}

/** An address as a QR code, to look at and to take away. */
export const QrCode = ({ address, name }: Props) => {
  const drawing = useRef<SVGSVGElement>(null)
  const [error, setError] = useState("")
  const save = (kind: "svg" | "png") => {
    if (drawing.current === null) return
    const svg = fileOf(drawing.current)
    if (kind === "svg") return download(`${name}.svg`, "image/svg+xml", svg)
    pngOf(svg).then(
      (png) => download(`${name}.png`, "image/png", png),
      (problem: Error) => setError(problem.message)
    )
  }
  return (
    <div className="qr">
      <QrDrawing ref={drawing} text={address} label={`QR code of ${address}`} />
      <div className="row">
        <button type="button" className="button button-small" onClick={() => save("svg")}>
          <Icon name="down" size={14} />
          SVG
        </button>
        <button type="button" className="button button-small" onClick={() => save("png")}>
          <Icon name="down" size={14} />
          PNG
        </button>
      </div>
      {error !== "" && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
